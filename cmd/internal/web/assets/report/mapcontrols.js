// The controls of a map: a slider of time that plays, what is drawn, whose paths, and which heights. Each changes the
// scene and calls redraw.

import { button, el, onTheme, say } from "../dom.js";
import { clock, number } from "../format.js";
import { colour, seriesColour } from "../colour.js";
import { choice } from "../plot.js";
import { asHeat, asPaths, trailSeconds } from "./mapscene.js";

const lowWorld = 64; // units: lower worlds have no floors to choose from

/** The slider of time, and what plays it: {element, go(second), fit()}. A second of null is all of the window. */
export function timeSlider(scene, redraw) {
  const { ctx } = scene;
  const all = "all of the window";
  let playing = false;
  let speed = 4;
  const clockNow = el("output", { class: "mono", text: all });
  const range = el("input", {
    type: "range",
    "aria-label": "Time",
    step: "any",
    oninput: () => show(Number(range.value)),
  });
  const play = button("▶ Play", () => {
    setPlaying(!playing);
    if (!playing) return;
    if (scene.at === null || scene.at >= ctx.to) scene.at = ctx.from;
    let last = performance.now();
    const next = (now) => {
      if (!playing || !range.isConnected) return;
      show(Math.min(ctx.to, scene.at + ((now - last) / 1000) * speed));
      last = now;
      if (scene.at >= ctx.to) setPlaying(false);
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const speeds = el(
    "select",
    { class: "small", "aria-label": "Speed", onchange: () => (speed = Number(speeds.value)) },
    [1, 4, 16].map((s) => el("option", { value: String(s), selected: s === speed, text: s + "×" })),
  );

  function setPlaying(on) {
    playing = on;
    say(play, on ? "⏸ Pause" : "▶ Play");
  }
  function show(second) {
    scene.at = second;
    say(clockNow, second === null ? all : clock(second, 1));
    if (second !== null) range.value = String(second);
    redraw();
  }
  function go(second) {
    setPlaying(false);
    show(second);
  }
  /** Takes the window of time of the page. */
  function fit() {
    range.min = String(ctx.from);
    range.max = String(ctx.to);
    if (scene.at === null) range.value = String(ctx.to);
  }
  const whole = button("All of the window", () => go(null));
  return { element: el("div", { class: "controls" }, play, speeds, range, clockNow, whole), go, fit };
}

/** A choice between three looks of the map, and a box for each layer. */
export function layerChoice(scene, slider, redraw) {
  const boxes = [
    ...(scene.plan ? [["plan", "Map"]] : []),
    ["ground", "Trodden ground"],
    ["paths", "Paths"],
    ["kills", "Kills"],
    ["heat", "Heat"],
  ].map(([layer, text]) => {
    const input = el("input", {
      type: "checkbox",
      checked: scene.layers[layer],
      onchange: () => {
        scene.layers[layer] = input.checked;
        redraw();
      },
    });
    return { layer, input, label: el("label", {}, input, " " + text) };
  });
  const looks = [
    ["heat", "Where players were most"],
    ["paths", "All paths"],
    ["last", `Last ${trailSeconds} seconds`],
  ];
  const look = choice("What is drawn", looks, scene.layers.heat ? "heat" : "paths", (key) => {
    Object.assign(scene.layers, key === "heat" ? asHeat : asPaths);
    slider.go(key === "last" ? scene.ctx.to : null);
    for (const { layer, input } of boxes) input.checked = scene.layers[layer];
  });
  return el(
    "div",
    { class: "controls" },
    look,
    boxes.map((b) => b.label),
  );
}

/** A button for each player, which hides and shows the path. */
export function playerChoice(scene, redraw) {
  const toggle = (player) => {
    const box = button(
      "",
      () => {
        const hide = !scene.hidden.delete(player);
        if (hide) scene.hidden.add(player);
        box.setAttribute("aria-pressed", String(!hide));
        redraw();
      },
      { class: "small", "aria-pressed": "true" },
    );
    box.append(scene.ctx.chip(player));
    return box;
  };
  const players = [...new Set(scene.paths.map((path) => path.player))];
  return el(
    "ul",
    { class: "players", "aria-label": "Players" },
    players.map((player) => el("li", {}, toggle(player))),
  );
}

/** Floors: how often players were at which height, and two sliders that choose some. Nothing for a flat world. */
export function heightChoice(scene, redraw) {
  const { world } = scene;
  const span = world.z1 - world.z0;
  if (scene.side || span < lowWorld) return null;
  const counts = heightCounts(scene);
  const most = Math.max(...counts);
  const canvas = el("canvas", { class: "heights", "aria-hidden": "true" });
  const slider = (label, value) =>
    el("input", {
      type: "range",
      min: String(Math.floor(world.z0)),
      max: String(Math.ceil(world.z1)),
      value: String(value),
      "aria-label": label,
      oninput: change,
    });
  const sliders = [
    slider("Lowest height shown", Math.floor(world.z0)),
    slider("Greatest height shown", Math.ceil(world.z1)),
  ];
  const text = el("output", { class: "mono" });
  const chosen = () => sliders.map((s) => Number(s.value)).sort((a, b) => a - b);

  function change() {
    [scene.low, scene.high] = chosen();
    showHeights(scene.low, scene.high);
    draw();
    redraw();
  }
  function showHeights(low, high) {
    say(text, `height ${number(low)} to ${number(high)} units`);
  }
  function draw() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width) return;
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    const [low, high] = chosen();
    const bar = width / counts.length;
    counts.forEach((n, i) => {
      const z = world.z0 + ((i + 0.5) / counts.length) * span;
      const tall = n ? Math.max(2, Math.sqrt(n / most) * height) : 0;
      context.fillStyle = z >= low && z <= high ? seriesColour(0) : colour("--line");
      context.fillRect(i * bar, height - tall, bar - 1, tall);
    });
  }

  new ResizeObserver(draw).observe(canvas);
  onTheme(draw);
  showHeights(world.z0, world.z1);
  return el(
    "details",
    {},
    el("summary", { text: "Floors: choose heights" }),
    canvas,
    el("div", { class: "controls" }, sliders, text),
  );
}

/** How many places of players are at each of 60 heights, from the lowest up. */
function heightCounts({ paths, world }) {
  const counts = new Array(60).fill(0);
  const last = counts.length - 1;
  for (const path of paths) {
    for (const z of path.z) {
      const i = Math.floor(((z - world.z0) / (world.z1 - world.z0)) * counts.length);
      counts[Math.min(last, i)]++;
    }
  }
  return counts;
}
