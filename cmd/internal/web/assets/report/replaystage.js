// The picture of a replay as it stands in the page, and the controls of what it shows.

import { el, say } from "../dom.js";
import { number } from "../format.js";
import { canvasPen } from "./pen.js";
import { placeOf } from "./replaystate.js";
import { paintGround, paintMoment } from "./replaypaint.js";

const followZoom = 2.5;

/** What draws a card's picture. The ground is drawn once for each size, theme, cut and zoom. */
export function painter(view, state, stage, canvas) {
  const ground = document.createElement("canvas");
  let drawn = "";
  let size = null; // asked for when it changes: to ask for it lays the page out
  new ResizeObserver(() => (size = null)).observe(stage);
  const context = canvas.getContext("2d", { alpha: false });
  return () => {
    if (!size) size = { width: stage.clientWidth, height: stage.clientHeight };
    const { width, height } = size;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    const zoom = view.follow === null ? 1 : followZoom;
    const [w, h] = [width * zoom, height * zoom];
    const key = [view.scene.planKey(w, h, ratio), view.cut].join();
    if (key !== drawn) paintGround(view, ground, w, h, ratio);
    drawn = key;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const p = view.scene.project(w, h);
    let [left, top] = [0, 0];
    if (view.follow !== null) {
      const place = view.replay.tracks
        .filter((track) => track.player === view.follow)
        .map((track) => placeOf(track, state.at))
        .filter(Boolean)
        .sort((a, b) => a.since - b.since)[0];
      const at = place ? [p.x(place.x), p.y(place.y)] : [w / 2, h / 2];
      left = Math.min(w - width, Math.max(0, at[0] - width / 2));
      top = Math.min(h - height, Math.max(0, at[1] - height / 2));
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(ground, -Math.round(left * ratio), -Math.round(top * ratio));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintMoment(
      view,
      canvasPen(context),
      { scale: p.scale, x: (x) => p.x(x) - left, y: (y) => p.y(y) - top },
      state.at,
    );
    if (!canvas.dataset.drawn) performance.mark("replay"); // its first picture
    canvas.dataset.drawn = state.at.toFixed(2);
  };
}

/** A box that says whether something of a view is shown. */
export function toggle(text, view, key, redraw) {
  const input = el("input", {
    type: "checkbox",
    checked: view[key],
    onchange: () => {
      view[key] = input.checked;
      redraw();
    },
  });
  return el("label", {}, input, " " + text);
}

/** A slider that cuts the map at a height: what is above is left out, what is far below is dimmed. */
export function cutSlider(view, redraw) {
  const { z0, z1 } = view.scene.world;
  if (view.scene.side || !(z1 - z0 > 64)) return null;
  const text = el("output", { class: "mono", text: "whole" });
  const top = Math.ceil(z1) + 8;
  const input = el("input", {
    type: "range",
    min: String(Math.floor(z0)),
    max: String(top),
    value: String(top),
    oninput: () => {
      const z = Number(input.value);
      view.cut = z >= top ? null : z;
      say(text, view.cut === null ? "whole" : number(z));
      redraw();
    },
  });
  return el("label", { class: "replay-cut" }, "Cut at height ", input, " ", text);
}
