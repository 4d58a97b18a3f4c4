// The time line of a replay: what was seen when, marks of what happened, and where it plays. For keys and screen
// readers it is a slider.

import { el, onTheme } from "../dom.js";
import { clock } from "../format.js";
import { colour } from "../colour.js";
import { tickStep } from "./context.js";

const height = 44; // pixels
const marks = [
  { key: "kill", name: "kills", ink: "--team-red", of: (e) => e.event === "kill" },
  {
    key: "flag",
    name: "flags and finishes",
    ink: "--series-4",
    of: (e) => /^(flag|race_finish|objective)/.test(e.event),
  },
  { key: "chat", name: "chat", ink: "--series-1", of: (e) => e.event === "chat" },
];

/**
 * The time line: {element, draw(), tell()}. state: {from, to, at}; go(second) is called when it is moved. tell() says
 * the second at once, without a picture.
 */
export function timeBar(view, state, go) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const bar = el(
    "div",
    {
      class: "replay-bar",
      role: "slider",
      tabindex: "0",
      "aria-label": "Time of the replay",
      "aria-valuemin": String(Math.floor(state.from)),
      "aria-valuemax": String(Math.ceil(state.to)),
    },
    canvas,
  );
  const secondAt = (event) => {
    const box = bar.getBoundingClientRect();
    return state.from + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * (state.to - state.from);
  };
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    go(secondAt(event));
  });
  bar.addEventListener("pointermove", (event) => bar.hasPointerCapture(event.pointerId) && go(secondAt(event)));

  const still = document.createElement("canvas"); // all but where it plays
  let drawn = "";
  let width = 0; // asked for when it changes: to ask for it lays the page out
  let shown = null;
  function draw() {
    width ||= bar.clientWidth;
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    const key = [width, ratio, colour("--paper")].join();
    if (key !== drawn) {
      for (const c of [canvas, still]) [c.width, c.height] = [width * ratio, height * ratio];
      drawStill(still.getContext("2d"), view, state, width, ratio);
      drawn = key;
    }
    const x = Math.round(((state.at - state.from) / (state.to - state.from || 1)) * width * ratio) / ratio;
    tell();
    if (shown === key + x) return; // in an hour it moves a pixel in three seconds
    shown = key + x;
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(still, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colour("--ink");
    context.fillRect(x - 1, 0, 2, height);
  }
  let told = "";
  function tell() {
    const now = state.at.toFixed(1);
    if (now === told) return;
    told = now;
    bar.setAttribute("aria-valuenow", now);
    bar.setAttribute("aria-valuetext", clock(state.at, 1));
  }
  tell();
  onTheme(draw);
  new ResizeObserver(() => {
    width = bar.clientWidth;
    draw();
  }).observe(bar);
  return { element: bar, draw, tell };
}

/** What the time line shows of the whole replay. */
function drawStill(context, view, state, width, ratio) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const x = (t) => ((t - state.from) / (state.to - state.from || 1)) * width;
  context.fillStyle = colour("--paper-2");
  context.fillRect(0, 0, width, height);
  // A hole is a hole: striped, with the words in the note.
  for (const [from, to] of view.holes) {
    context.fillStyle = colour("--paper");
    context.fillRect(x(from), 0, Math.max(1, x(to) - x(from)), height);
    context.strokeStyle = colour("--error");
    context.lineWidth = 1;
    context.beginPath();
    for (let at = x(from); at < x(to); at += 5) {
      context.moveTo(at, height);
      context.lineTo(Math.min(at + 8, x(to)), 0);
    }
    context.stroke();
  }
  context.fillStyle = colour("--line");
  for (const [from, to] of view.ctx.game.pauses ?? []) context.fillRect(x(from), 0, x(to) - x(from), height);
  marks.forEach(({ of, ink }, row) => {
    context.fillStyle = colour(ink);
    for (const e of view.events) if (of(e)) context.fillRect(x(e.t) - 0.75, 3 + row * 9, 1.5, 8);
  });
  context.fillStyle = colour("--ink-2");
  context.font = "11px sans-serif";
  context.textBaseline = "bottom";
  const step = tickStep(state.to - state.from) * (width < 500 ? 2 : 1);
  for (let t = Math.ceil(state.from / step) * step; t <= state.to; t += step) {
    context.fillRect(x(t), height - 14, 1, 4);
    const text = clock(t);
    if (x(t) + 4 + context.measureText(text).width < width) context.fillText(text, x(t) + 3, height - 1);
  }
}

/** What the colours of the marks mean, of those that there are. */
export function barNote(view) {
  const there = marks.filter(({ of }) => view.events.some(of));
  return el(
    "p",
    { class: "note" },
    there.map(({ name, ink }) => {
      const sign = el("span", { "aria-hidden": "true", text: "▮ " });
      sign.style.color = colour(ink);
      return el("span", { class: "replay-mark" }, sign, name);
    }),
    view.holes.length
      ? (view.holes.length === 1 ? "A striped part has" : "Striped parts have") +
          " no state of the game in the recording."
      : null,
  );
}
