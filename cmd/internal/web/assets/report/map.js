// The map: everybody's way, where kills happened, heat, floors, and a slider that plays.

import { button, el, fileName, onTheme, replace, save, visible, wire } from "../dom.js";
import { clock, number } from "../format.js";
import { colour, seriesColour } from "../colour.js";
import { addMenu, choice, whenNear } from "../plot.js";
import { canvasPen, svgPen } from "./pen.js";
import { moment, momentBox } from "./moment.js";
import { drawPlan, planOf, widen } from "./plan.js";
import { around, goesOn, indexAt, unfold } from "./ways.js";

const shades = 6; // of ways, by age
const trail = 30; // seconds of the way that are shown while it plays
const manyKills = 100; // crosses that such a map shows at first
const manySeconds = 300; // of ways: more on one map are a tangle, which opens as heat
const killShown = 6; // seconds for which a kill is shown then

export function overhead(ctx) {
  const game = ctx.game;
  if (!game?.tracks?.length) {
    return el("p", { class: "nothing", text: "No positions: nothing here shows where players are. Snapshots do, once a session is deciphered." });
  }
  const maps = [...new Set(game.tracks.map((t) => t.map))];
  const box = el("div", {});
  const draw = (map) => replace(box, one(ctx, map));
  draw(maps.reduce((best, m) => (size(game, m) > size(game, best) ? m : best)));
  const names = maps.map((m) => (m < 0 ? "map not known" : game.maps[m].map + " from " + clock(game.maps[m].t)));
  const select = maps.length > 1 ? el("label", {}, "Map ", el("select", { onchange: (e) => draw(maps[e.target.selectedIndex]) }, names.map((n, i) => el("option", { text: visible(n), selected: size(game, maps[i]) === Math.max(...maps.map((m) => size(game, m))) })))) : null;
  return [select, box];
}

function planNote(plan, side) {
  return "Below the paths is the map, from " + visible(plan.from === plan.name ? plan.name : plan.name + " (" + plan.from + ")") + ": " +
    (side ? "grey is solid; beyond its edge the outermost tiles go on." : "the higher a floor, the lighter; lines are walls.") + (plan.leftOut ? " " + number(plan.leftOut) + " of its smallest parts are left out." : "");
}

function size(game, map) { return game.tracks.filter((t) => t.map === map).reduce((sum, t) => sum + t.times.length, 0); }

function one(ctx, map) {
  const game = ctx.game;
  const side = game.view === "side";
  const ways = unfold(game.tracks, map, side);
  const kills = game.events.filter((e) => e.event === "kill" && e.place && ((game.maps?.length ?? 0) <= 1 || mapAt(game, e.t) === map));
  const world = around(ways, kills);
  const plan = map < 0 ? null : planOf(ctx, game.maps[map].map);
  if (plan) widen(world, plan);
  const pad = Math.max(64, (world.x1 - world.x0) * 0.04);
  const state = { at: null, playing: false, speed: 4, layers: { plan: true, ground: !plan, ways: true, kills: true, heat: false, ...(busy(ways) ? { ...asHeat, kills: kills.length <= manyKills } : null) }, hidden: new Set(), low: world.z0, high: world.z1 };
  const name = map < 0 ? "the map" : game.maps[map].map;
  const title = `Where everybody was on ${name}` + (side ? ", from the side" : ", from above");
  const canvas = el("canvas", { "aria-hidden": "true" });
  const stage = el("div", { class: "stage", role: "img", tabindex: "0", "aria-label": visible(title) + ". The table below has the places." }, canvas);
  const status = el("p", { class: "note", role: "status", text: "Point at a cross to see the kill, or at a path to see who was there when; a click shows the record." });
  const shape = (world.y1 - world.y0 + 2 * pad) / (world.x1 - world.x0 + 2 * pad);
  stage.style.height = `clamp(260px, ${Math.round(shape * 100)}vw, 620px)`;

  const from = () => (state.at === null ? ctx.from : Math.max(ctx.from, state.at - trail));
  const to = () => (state.at === null ? ctx.to : state.at);
  const onFloor = (w, i) => !w.z.length || (w.z[i] >= state.low && w.z[i] <= state.high);
  const shown = (w) => !state.hidden.has(w.player);

  /** How places become points of a picture of this width and height. */
  function project(width, height) {
    const scale = Math.min(width / (world.x1 - world.x0 + 2 * pad), height / (world.y1 - world.y0 + 2 * pad));
    const left = (width - (world.x1 - world.x0) * scale) / 2;
    const top = (height - (world.y1 - world.y0) * scale) / 2;
    return { scale, x: (x) => left + (x - world.x0) * scale, y: (y) => (side ? top + (y - world.y0) * scale : height - top - (y - world.y0) * scale) };
  }

  const chosen = () => ({ low: state.low, high: state.high, whole: state.low <= world.z0 && state.high >= world.z1 });

  /** The plan changes with size, floors and theme alone: while paths play it is drawn once. */
  let backdrop = { key: "", canvas: document.createElement("canvas") };
  function background(width, height, ratio) {
    const key = [width, height, ratio, state.low, state.high, colour("--paper")].join();
    if (backdrop.key === key) return backdrop.canvas;
    const c = backdrop.canvas;
    c.width = width * ratio;
    c.height = height * ratio;
    const context = c.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawPlan(canvasPen(context), project(width, height), plan, world, chosen());
    backdrop.key = key;
    return c;
  }

  function paint(pen, width, height, drawn) {
    const p = project(width, height);
    if (plan && state.layers.plan && !drawn) drawPlan(pen, p, plan, world, chosen());
    if (side && game.unit) tiles(pen, p, width, height);
    if (state.layers.ground) ground(pen, p);
    if (state.layers.heat) heat(pen, p);
    if (state.layers.ways) for (const w of ways) if (shown(w)) way(pen, p, w);
    if (state.layers.kills) for (const e of kills) kill(pen, p, e);
    if (state.at !== null) for (const w of ways) if (shown(w)) stand(pen, p, w);
    ruler(pen, p, width, height);
  }

  /** A faint line for every tenth tile. */
  function tiles(pen, p, width, height) {
    const step = 10 * game.unit;
    if (step * p.scale < 8) return;
    const lines = [];
    for (let x = Math.ceil((world.x0 - pad) / step) * step; x <= world.x1 + pad; x += step) lines.push([[p.x(x), 0], [p.x(x), height]]);
    for (let y = Math.ceil((world.y0 - pad) / step) * step; y <= world.y1 + pad; y += step) lines.push([[0, p.y(y)], [width, p.y(y)]]);
    pen.lines(lines, { ink: colour("--line"), alpha: 0.7 });
  }

  function ground(pen, p) {
    const cells = new Map();
    const edge = Math.max(3, (side ? 32 : 48) * p.scale);
    for (const w of ways) {
      for (let i = 0; i < w.t.length; i++) {
        if (!onFloor(w, i)) continue;
        const cx = Math.floor(p.x(w.x[i]) / edge);
        const cy = Math.floor(p.y(w.y[i]) / edge);
        cells.set(cx * 65536 + cy, [cx * edge, cy * edge, edge, edge]);
      }
    }
    pen.boxes([...cells.values()], { ink: colour("--ink-2"), alpha: 0.14 });
  }

  function heat(pen, p) {
    const edge = 10;
    const counts = new Map();
    let most = 1;
    for (const w of ways) {
      if (!shown(w)) continue;
      for (let i = indexAt(w, ctx.from), end = indexAt(w, ctx.to); i < end; i++) {
        if (!onFloor(w, i)) continue;
        const key = Math.floor(p.x(w.x[i]) / edge) * 65536 + Math.floor(p.y(w.y[i]) / edge);
        const n = (counts.get(key) ?? 0) + 1;
        counts.set(key, n);
        most = Math.max(most, n);
      }
    }
    pen.boxes([...counts].map(([key, n]) => [Math.floor(key / 65536) * edge, (key % 65536) * edge, edge, edge, 0.12 + 0.78 * Math.sqrt(n / most)]), { ink: colour("--series-2") });
  }

  function way(pen, p, w) {
    const [begin, end] = [indexAt(w, from()), indexAt(w, to())];
    const span = Math.max(to() - from(), 0.1);
    const lists = Array.from({ length: shades }, () => []);
    let list = null;
    let shade = -1;
    for (let i = begin; i < end; i++) {
      const now = Math.min(shades - 1, Math.floor(((w.t[i] - from()) / span) * shades));
      const joined = i > begin && goesOn(w, i) && onFloor(w, i - 1);
      if (!onFloor(w, i)) {
        list = null;
        continue;
      }
      const point = [p.x(w.x[i]), p.y(w.y[i])];
      if (!joined || !list || now !== shade) {
        const before = joined && list ? list[list.length - 1] : null;
        list = before ? [before, point] : [point];
        lists[now].push(list);
        shade = now;
      } else list.push(point);
    }
    const { colour: ink, dash } = ctx.mark(w.player);
    lists.forEach((l, i) => pen.lines(l.filter((points) => points.length > 1), { ink, width: 1.5, alpha: 0.25 + (0.65 * (i + 1)) / shades, dash }));
  }

  function stand(pen, p, w) {
    const i = indexAt(w, state.at) - 1;
    if (i < 0 || state.at - w.t[i] > 1 || !onFloor(w, i)) return;
    pen.dot(p.x(w.x[i]), p.y(w.y[i]), 5, { ink: ctx.colour(w.player), edge: colour("--paper") });
    pen.text(p.x(w.x[i]) + 8, p.y(w.y[i]) - 8, ctx.name(w.player), { ink: colour("--ink"), halo: colour("--paper") });
  }

  function visibleKill(e) {
    const t0 = state.at === null ? ctx.from : state.at - killShown;
    const height = e.place[2];
    return e.t >= t0 && e.t <= to() && !(state.hidden.has(e.other) && state.hidden.has(e.player)) && (height === undefined || !(height < state.low - 1 || height > state.high + 1));
  }

  function kill(pen, p, e) {
    if (!visibleKill(e)) return;
    const [x, y] = [p.x(e.place[0]), p.y(e.place[1])];
    if (e.from && e.player !== e.other && e.player !== undefined) {
      pen.lines([[[p.x(e.from[0]), p.y(e.from[1])], [x, y]]], { ink: ctx.colour(e.player), width: 1, alpha: 0.9, dash: [3, 3] });
      pen.dot(p.x(e.from[0]), p.y(e.from[1]), 2.5, { ink: ctx.colour(e.player) });
    }
    const ink = e.other === undefined ? colour("--ink") : ctx.colour(e.other);
    for (const [width, color] of [[4, colour("--paper")], [2, ink]]) {
      pen.lines([[[x - 4, y - 4], [x + 4, y + 4]], [[x - 4, y + 4], [x + 4, y - 4]]], { ink: color, width });
    }
  }

  function ruler(pen, p, width, height) {
    const wanted = (side ? 32 : 1) * Math.max(1, 120 / p.scale / (side ? 32 : 1));
    const base = side ? 32 : 1;
    const power = 10 ** Math.floor(Math.log10(wanted / base));
    const count = [5, 2, 1].map((f) => f * power).find((f) => f * base * p.scale <= 140) ?? power;
    const length = count * base * p.scale;
    pen.lines([[[12, height - 18], [12, height - 12], [12 + length, height - 12], [12 + length, height - 18]]], { ink: colour("--ink"), width: 1.5 });
    pen.text(12 + length / 2, height - 24, number(count) + (side ? " tiles" : " units"), { ink: colour("--ink"), align: "center", halo: colour("--paper") });
    if (!side) pen.text(width - 10, height - 12, "y ↑  x →", { ink: colour("--ink-2"), align: "right" });
  }

  let waiting = false;
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const { clientWidth: width, clientHeight: height } = stage;
      if (!width) return;
      const ratio = devicePixelRatio || 1;
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      const context = canvas.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = colour("--paper");
      context.fillRect(0, 0, width, height);
      const drawn = plan && state.layers.plan;
      if (drawn) context.drawImage(background(width, height, ratio), 0, 0, width, height);
      paint(canvasPen(context), width, height, drawn);
      canvas.dataset.drawn = "true";
    });
  }

  /** Where the pointer is in the picture, and how places become points of it. */
  function pointed(event) {
    const at = stage.getBoundingClientRect();
    return { p: project(stage.clientWidth, stage.clientHeight), x: event.clientX - at.left, y: event.clientY - at.top };
  }

  /** The kill whose mark the pointer is at. */
  function nearest(event) {
    const { p, x, y } = pointed(event);
    const near = kills.filter(visibleKill).map((e) => ({ e, d: Math.hypot(p.x(e.place[0]) - x, p.y(e.place[1]) - y) })).sort((a, b) => a.d - b.d)[0];
    return near?.d < 12 ? near.e : null;
  }

  /** The place on a way that the pointer is at: {w, t}. */
  function nearestWay(event) {
    const { p, x, y } = pointed(event);
    let best = null;
    let reach = 64; // pixels, squared
    for (const w of ways) {
      if (!shown(w) || !state.layers.ways) continue;
      for (let i = indexAt(w, from()), end = indexAt(w, to()); i < end; i++) {
        const [dx, dy] = [p.x(w.x[i]) - x, p.y(w.y[i]) - y];
        const d = dx * dx + dy * dy;
        if (d < reach && onFloor(w, i)) [best, reach] = [{ w, t: w.t[i] }, d];
      }
    }
    return best;
  }
  stage.addEventListener("pointermove", (event) => {
    const e = nearest(event);
    const on = e ? null : nearestWay(event);
    stage.style.cursor = e || on ? "pointer" : "";
    if (on) replace(status, wire(`${ctx.when(on.t)}: ${ctx.name(on.w.player)}`));
    if (e) replace(status, wire(`${ctx.when(e.t)}: ${e.info ?? "kill"}, ${ctx.file.recording ? "message" : "frame"} ${e.frame}`));
  });

  const box = momentBox();
  stage.addEventListener("click", (event) => {
    const e = nearest(event);
    if (e) return moment(ctx, box, e.t, e.frame);
    const on = nearestWay(event);
    if (on) moment(ctx, box, on.t, ctx.frameAt(on.t));
  });

  const slider = time();
  ctx.watch(() => { slider.fit(); redraw(); }, "map");
  onTheme(redraw);
  new ResizeObserver(redraw).observe(stage);
  whenNear(stage, redraw);

  /** The slider of time, and what plays it. */
  function time() {
    const clockNow = el("output", { class: "mono", text: "all of the window" });
    const range = el("input", { type: "range", "aria-label": "Time", step: "any", oninput: () => { state.at = Number(range.value); show(); } });
    const plays = (on) => {
      state.playing = on;
      play.textContent = on ? "⏸ Pause" : "▶ Play";
    };
    const play = button("▶ Play", () => {
      plays(!state.playing);
      if (!state.playing) return;
      if (state.at === null || state.at >= ctx.to) state.at = ctx.from;
      let last = performance.now();
      const next = (now) => {
        if (!state.playing || !stage.isConnected) return;
        state.at = Math.min(ctx.to, state.at + ((now - last) / 1000) * state.speed);
        last = now;
        show();
        if (state.at >= ctx.to) plays(false);
        else requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    const speed = el("select", { class: "small", "aria-label": "Speed", onchange: () => (state.speed = Number(speed.value)) }, [1, 4, 16].map((s) => el("option", { value: String(s), selected: s === state.speed, text: s + "×" })));
    const whole = button("All of the window", () => { state.at = null; plays(false); show(); });
    function show() {
      clockNow.textContent = state.at === null ? "all of the window" : clock(state.at, 1);
      if (state.at !== null) range.value = String(state.at);
      redraw();
    }
    return {
      go(at) { state.at = at; plays(false); show(); },
      element: el("div", { class: "controls" }, play, speed, range, clockNow, whole),
      fit() { range.min = String(ctx.from); range.max = String(ctx.to); if (state.at === null) range.value = String(ctx.to); },
    };
  }
  slider.fit();

  const looks = { heat: "Where players were most", ways: "All paths", last: `Last ${trail} seconds` };
  const look = choice("What is drawn", Object.entries(looks), state.layers.heat ? "heat" : "ways", (key) => {
    Object.assign(state.layers, key === "heat" ? asHeat : asWays);
    slider.go(key === "last" ? ctx.to : null);
    boxes.forEach(([layer, input]) => { input.checked = state.layers[layer]; });
  });
  const boxes = [];
  const toggles = [...(plan ? [["plan", "Map"]] : []), ["ground", "Trodden ground"], ["ways", "Paths"], ["kills", "Kills"], ["heat", "Heat"]].map(([key, text]) => {
    const input = el("input", { type: "checkbox", checked: state.layers[key], onchange: (e) => { state.layers[key] = e.target.checked; redraw(); } });
    boxes.push([key, input]);
    return el("label", {}, input, " " + text);
  });
  const who = el("ul", { class: "players", "aria-label": "Players" }, [...new Set(ways.map((w) => w.player))].map((player) => {
    const toggle = el("button", { type: "button", class: "small", "aria-pressed": "true", onclick: () => {
      const off = !state.hidden.delete(player) && state.hidden.add(player);
      toggle.setAttribute("aria-pressed", String(!off));
      redraw();
    } }, ctx.chip(player));
    return el("li", {}, toggle);
  }));

  const floors = side || world.z1 - world.z0 < 64 ? null : heights(ways, world, (low, high) => { state.low = low; state.high = high; redraw(); });
  const columns = [
    { key: "time", type: "number", unit: "s" }, { key: "client", type: "integer" }, { key: "name", type: "string" }, { key: "x", type: "integer" }, { key: "y", type: "integer" }, { key: "z", type: "integer" },
  ];
  const rows = () => ways.filter(shown).flatMap((w) => {
    const out = [];
    for (let i = indexAt(w, ctx.from), end = indexAt(w, ctx.to); i < end; i++) {
      if (onFloor(w, i)) out.push([Math.round(w.t[i] * 10) / 10, game.players[w.player].client, ctx.name(w.player), w.x[i], w.y[i], w.z.length ? w.z[i] : null]);
    }
    return out;
  });
  const savePNG = () => canvas.toBlob((b) => save(fileName(title) + ".png", b), "image/png");
  const saveSVG = () => {
    const pen = svgPen(stage.clientWidth, stage.clientHeight, colour("--paper"));
    paint(pen, stage.clientWidth, stage.clientHeight);
    save(fileName(title) + ".svg", pen.picture(), "image/svg+xml");
  };
  const figure = el("figure", { class: "plot" },
    el("figcaption", {}, el("span", { class: "title" }, wire(title))),
    el("p", { class: "note", text: "Paths fade with age" + (game.players.some((p) => p.team === "blue") ? "; warm colours are red, cool and dashed ones blue" : "") + "; a cross is where somebody died, a dotted line connects it with the killer's position. " + (plan ? planNote(plan, side) : "Grey is ground that players were seen on; --map FILE draws the map itself.") + (side ? " A tile is " + game.unit + " units of the game. Servers send a position only when the player moves differently than a client predicts: between two positions, up to three seconds apart, the line is straight." : "") }),
    el("div", { class: "controls" }, look, toggles), who, stage, slider.element, status, box, floors);
  addMenu(figure, { title, pictures: { PNG: savePNG, SVG: saveSVG }, columns, rows });
  return figure;
}

const asHeat = { ways: false, heat: true };
const asWays = { ways: true, heat: false };

/** Whether there are too many ways to tell them apart. */
function busy(ways) { return ways.reduce((sum, w) => sum + (w.t.length ? w.t.at(-1) - w.t[0] : 0), 0) > manySeconds; }

function mapAt(game, t) {
  let at = -1;
  (game.maps ?? []).forEach((m, i) => { if (m.t <= t) at = i; });
  return at;
}

/** Floors: how often players were at which height, and two sliders that choose some. */
function heights(ways, world, choose) {
  const bins = 60;
  const counts = new Array(bins).fill(0);
  const span = world.z1 - world.z0;
  for (const w of ways) for (const z of w.z) counts[Math.min(bins - 1, Math.floor(((z - world.z0) / span) * bins))]++;
  const most = Math.max(...counts);
  const canvas = el("canvas", { class: "heights", "aria-hidden": "true" });
  const make = (label, value) => el("input", { type: "range", min: String(Math.floor(world.z0)), max: String(Math.ceil(world.z1)), value: String(value), "aria-label": label, oninput: change });
  const low = make("Lowest height shown", Math.floor(world.z0));
  const high = make("Greatest height shown", Math.ceil(world.z1));
  const text = el("output", { class: "mono" });
  function change() {
    const [a, b] = [Math.min(Number(low.value), Number(high.value)), Math.max(Number(low.value), Number(high.value))];
    text.textContent = `height ${number(a)} to ${number(b)} units`;
    choose(a, b);
    draw(a, b);
  }
  function draw(a, b) {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width) return;
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    counts.forEach((n, i) => {
      const z = world.z0 + ((i + 0.5) / bins) * span;
      context.fillStyle = z >= a && z <= b ? seriesColour(0) : colour("--line");
      const h = n ? Math.max(2, Math.sqrt(n / most) * height) : 0;
      context.fillRect((i / bins) * width, height - h, width / bins - 1, h);
    });
  }
  const again = () => draw(Math.min(Number(low.value), Number(high.value)), Math.max(Number(low.value), Number(high.value)));
  new ResizeObserver(again).observe(canvas);
  onTheme(again);
  text.textContent = `height ${number(world.z0)} to ${number(world.z1)} units`;
  return el("details", {}, el("summary", { text: "Floors: choose heights" }), canvas, el("div", { class: "controls" }, low, high, text));
}
