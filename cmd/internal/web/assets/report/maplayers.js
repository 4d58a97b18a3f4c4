// The layers of a map, drawn one over the other: plan, trodden ground, heat, paths, kills, players.

import { colour } from "../colour.js";
import { number } from "../format.js";
import { continuesAt, indexAt } from "./paths.js";
import { drawPlan } from "./plan.js";

const shades = 6; // of a path, by age
const tile = 32; // units: of games that are seen from the side
const cellsWide = 65536; // a cell of a grid has the key column * cellsWide + row

/** Draws a scene. options.planDrawn: the plan is in the picture already. */
export function paint(scene, pen, width, height, options = {}) {
  const { layers } = scene;
  const p = scene.project(width, height);
  if (scene.plan && layers.plan && !options.planDrawn) paintPlan(scene, pen, width, height);
  if (scene.side && scene.unit) grid(scene, pen, p, width, height);
  if (layers.ground) ground(scene, pen, p);
  if (layers.heat) heat(scene, pen, p);
  if (layers.paths) for (const path of scene.shownPaths) trail(scene, pen, p, path);
  if (layers.kills) for (const e of scene.shownKills) kill(scene, pen, p, e);
  if (scene.at !== null) for (const path of scene.shownPaths) player(scene, pen, p, path);
  ruler(scene, pen, p, width, height);
}

/** Draws the map itself. */
export function paintPlan(scene, pen, width, height) {
  drawPlan(pen, scene.project(width, height), scene.plan, scene.world, scene.floors);
}

/** A faint line for every tenth tile. */
function grid({ world, pad, unit }, pen, p, width, height) {
  const step = 10 * unit;
  if (step * p.scale < 8) return;
  const lines = [];
  const first = (from) => Math.ceil(from / step) * step;
  for (let x = first(world.x0 - pad); x <= world.x1 + pad; x += step) lines.push(line(p.x(x), 0, p.x(x), height));
  for (let y = first(world.y0 - pad); y <= world.y1 + pad; y += step) lines.push(line(0, p.y(y), width, p.y(y)));
  pen.lines(lines, { ink: colour("--line"), alpha: 0.7 });
}

function line(x0, y0, x1, y1) {
  return [
    [x0, y0],
    [x1, y1],
  ];
}

/** Grey cells where anybody ever was. */
function ground(scene, pen, p) {
  const cells = new Map();
  const edge = Math.max(3, (scene.side ? tile : 48) * p.scale);
  for (const path of scene.paths) {
    for (let i = 0; i < path.t.length; i++) {
      if (!scene.onFloor(path, i)) continue;
      const column = Math.floor(p.x(path.x[i]) / edge);
      const row = Math.floor(p.y(path.y[i]) / edge);
      cells.set(column * cellsWide + row, [column * edge, row * edge, edge, edge]);
    }
  }
  pen.boxes([...cells.values()], { ink: colour("--ink-2"), alpha: 0.14 });
}

/** Cells that are the darker, the longer somebody was there. */
function heat(scene, pen, p) {
  const edge = 10; // pixels
  const counts = new Map();
  let most = 1;
  for (const path of scene.shownPaths) {
    for (let i = indexAt(path, scene.ctx.from), end = indexAt(path, scene.ctx.to); i < end; i++) {
      if (!scene.onFloor(path, i)) continue;
      const key = Math.floor(p.x(path.x[i]) / edge) * cellsWide + Math.floor(p.y(path.y[i]) / edge);
      const n = (counts.get(key) ?? 0) + 1;
      counts.set(key, n);
      most = Math.max(most, n);
    }
  }
  const cell = ([key, n]) => {
    const [column, row] = [Math.floor(key / cellsWide), key % cellsWide];
    return [column * edge, row * edge, edge, edge, 0.12 + 0.78 * Math.sqrt(n / most)];
  };
  pen.boxes([...counts].map(cell), { ink: colour("--series-2") });
}

/** A path, fainter where it is older. It has holes where it jumps and where it is at a height that is not shown. */
function trail(scene, pen, p, path) {
  const { from, to, ctx } = scene;
  const span = Math.max(to - from, 0.1);
  const pieces = Array.from({ length: shades }, () => []); // lists of points, by shade
  let points = null;
  let shade = -1;
  const begin = indexAt(path, from);
  for (let i = begin, end = indexAt(path, to); i < end; i++) {
    if (!scene.onFloor(path, i)) {
      points = null;
      continue;
    }
    const now = Math.min(shades - 1, Math.floor(((path.t[i] - from) / span) * shades));
    const joined = points && i > begin && continuesAt(path, i) && scene.onFloor(path, i - 1);
    const point = [p.x(path.x[i]), p.y(path.y[i])];
    if (joined && now === shade) {
      points.push(point);
      continue;
    }
    points = joined ? [points.at(-1), point] : [point];
    pieces[now].push(points);
    shade = now;
  }
  const { colour: ink, dash } = ctx.mark(path.player);
  pieces.forEach((lists, i) =>
    pen.lines(
      lists.filter((list) => list.length > 1),
      { ink, width: 1.5, alpha: 0.25 + (0.65 * (i + 1)) / shades, dash },
    ),
  );
}

/** A dot with a name where a player is at the time that plays. */
function player(scene, pen, p, path) {
  const i = indexAt(path, scene.at) - 1;
  if (i < 0 || scene.at - path.t[i] > 1 || !scene.onFloor(path, i)) return;
  const [x, y] = [p.x(path.x[i]), p.y(path.y[i])];
  pen.dot(x, y, 5, { ink: scene.ctx.colour(path.player), edge: colour("--paper") });
  pen.text(x + 8, y - 8, scene.ctx.name(path.player), { ink: colour("--ink"), halo: colour("--paper") });
}

/** A cross where somebody died, and a dotted line from where the killer was. */
function kill({ ctx }, pen, p, e) {
  const [x, y] = [p.x(e.place[0]), p.y(e.place[1])];
  if (e.from && e.player !== e.other && e.player !== undefined) {
    const [fromX, fromY] = [p.x(e.from[0]), p.y(e.from[1])];
    const ink = ctx.colour(e.player);
    pen.lines([line(fromX, fromY, x, y)], { ink, width: 1, alpha: 0.9, dash: [3, 3] });
    pen.dot(fromX, fromY, 2.5, { ink });
  }
  const cross = [line(x - 4, y - 4, x + 4, y + 4), line(x - 4, y + 4, x + 4, y - 4)];
  pen.lines(cross, { ink: colour("--paper"), width: 4 });
  pen.lines(cross, { ink: e.other === undefined ? colour("--ink") : ctx.colour(e.other), width: 2 });
}

/** A scale below the picture: a round number of units or tiles, at most 140 pixels long. */
function ruler({ side }, pen, p, width, height) {
  const base = side ? tile : 1;
  const wanted = Math.max(1, 120 / p.scale / base);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const count = [5, 2, 1].map((f) => f * power).find((f) => f * base * p.scale <= 140) ?? power;
  const length = count * base * p.scale;
  const [left, right, top, bottom] = [12, 12 + length, height - 18, height - 12];
  const bracket = [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
  ];
  pen.lines([bracket], { ink: colour("--ink"), width: 1.5 });
  pen.text(left + length / 2, height - 24, number(count) + (side ? " tiles" : " units"), {
    ink: colour("--ink"),
    align: "center",
    halo: colour("--paper"),
  });
  if (!side) pen.text(width - 10, height - 12, "y ↑  x →", { ink: colour("--ink-2"), align: "right" });
}
