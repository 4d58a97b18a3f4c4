// The picture of a moment of a replay, drawn with a pen: on the canvas, or into a picture to save.

import { colour } from "../colour.js";
import { canvasPen, sized } from "./pen.js";
import { paint, paintPlan } from "./maplayers.js";
import { before, is, placeOf, thingAt } from "./replaystate.js";

const trailSeconds = 2;
const killSeconds = 3; // for which a kill is shown
const flashSeconds = 0.35; // for which a shot or an explosion is shown
const lostSeconds = 60; // after which nobody looks for who was not seen
const floorHeight = 160; // units below the cut that are drawn in full
const itemInks = [
  [/health|medkit|medpack/, "--series-3"],
  [/armor|shield|vest|helmet/, "--series-5"],
  [/quad|enviro|haste|invis|regen|flight|power|ninja|force|enlighten|boon/, "--series-1"],
  [/weapon|gun|launcher|grenade|laser|rocket|rail/, "--series-2"],
];
const flags = [
  ["redFlag", "--team-red"],
  ["blueFlag", "--team-blue"],
  ["otherFlag", "--series-5"],
];

/** Draws what does not move into a canvas: the map, or the ground that was walked on. */
export function paintGround(view, canvas, width, height, ratio) {
  const context = sized(canvas, width, height, ratio);
  context.fillStyle = colour("--paper");
  context.fillRect(0, 0, width, height);
  drawGround(view, canvasPen(context), width, height);
}

/** Draws what does not move. A cut leaves out what is above it, and dims what is more than a floor below. */
export function drawGround(view, pen, width, height) {
  const { scene, cut } = view;
  const { low, high, layers } = scene;
  scene.layers = { plan: false, ground: !scene.plan, heat: false, paths: false, kills: false };
  const whole = [
    [-10, -10],
    [width + 10, -10],
    [width + 10, height + 10],
    [-10, height + 10],
  ];
  if (cut !== null) {
    if (scene.plan) {
      [scene.low, scene.high] = [scene.world.z0 - 4096, cut - floorHeight];
      paintPlan(scene, pen, width, height);
      pen.polygon(whole, { ink: colour("--paper"), alpha: 0.6 });
    }
    [scene.low, scene.high] = [cut - floorHeight, cut];
  }
  if (scene.plan) paintPlan(scene, pen, width, height);
  paint(scene, pen, width, height, { planDrawn: true });
  scene.layers = layers;
  [scene.low, scene.high] = [low, high];
}

/** Draws everybody and everything at a time. p projects; view has the replay and what is chosen. */
export function paintMoment(view, pen, p, t) {
  for (const spot of view.spots) paintSpot(view, pen, p, spot, t);
  for (const thing of view.things(t)) paintThing(view, pen, p, thing, t);
  const places = view.replay.tracks.map((track) => [track, placeOf(track, t)]).filter(([, place]) => place);
  if (view.trails) for (const [track, place] of places) if (!place.since) paintTrail(view, pen, p, track, t);
  for (const e of view.kills) if (e.t <= t && t - e.t < killSeconds) paintKill(view, pen, p, e, t);
  for (const [, place] of places) if (place.since <= lostSeconds) paintPlayer(view, pen, p, place, t);
}

/** How much of something at a height is seen. */
function dim(view, z) {
  if (view.cut === null || z === undefined) return 1;
  if (z > view.cut + 8) return 0.15;
  return z < view.cut - floorHeight ? 0.35 : 1;
}

function paintSpot(view, pen, p, spot, t) {
  const last = before(spot.begins, t);
  if (last < 0) return;
  const now = spot.seen.slice(Math.max(0, last - 3), last + 1).some((s) => t <= s.to + 0.1);
  const [x, y, z] = spot.place;
  paintItem(pen, p.x(x), p.y(y), spot.what, (now ? 1 : 0.35) * dim(view, z), now);
}

function paintItem(pen, x, y, what, alpha, filled) {
  if (/flag/.test(what)) return paintFlag(pen, x, y, /red/.test(what) ? "--team-red" : "--team-blue", alpha);
  const size = /mega|body|red|quad|haste|regen|invis|enviro|flight/.test(what) ? 5 : 3;
  const ink = colour(itemInks.find(([name]) => name.test(what))?.[1] ?? "--series-7");
  const square = [
    [x - size, y - size],
    [x + size, y - size],
    [x + size, y + size],
    [x - size, y + size],
  ];
  pen.polygon(square, { ink: filled ? ink : null, edge: ink, width: 1.5, alpha });
}

function paintFlag(pen, x, y, name, alpha) {
  const ink = colour(name);
  pen.lines([points([x, y + 2], [x, y - 14])], { ink, width: 1.5, alpha });
  pen.polygon(points([x, y - 14], [x + 11, y - 10], [x, y - 6]), { ink, alpha });
}

function points(...list) {
  return list;
}

function paintThing(view, pen, p, thing, t) {
  const ink = thing.owner >= 0 ? view.mark(thing.owner, t).colour : colour("--ink");
  const [x, y, z] = thingAt(thing, t);
  const alpha = dim(view, z);
  const seen = t <= thing.to + 0.1;
  switch (thing.kind) {
    case "item":
      if (seen && !thing.spot) paintItem(pen, p.x(x), p.y(y), thing.what, alpha, true);
      return;
    case "missile": {
      if (!seen) return;
      const [fromX, fromY] = thingAt(thing, Math.max(thing.from, t - 0.08));
      pen.lines([line(p, [fromX, fromY], [x, y])], { ink, width: 2, alpha: alpha * 0.7 });
      pen.dot(p.x(x), p.y(y), /rocket|bfg|grenade/.test(thing.what) ? 3.5 : 2.5, { ink, alpha });
      return;
    }
    case "hook": {
      const owner = view.replay.tracks.find((track) => track.player === thing.owner);
      const place = owner && placeOf(owner, t);
      if (!seen || !place || place.since) return;
      pen.lines([line(p, [place.x, place.y], [x, y])], { ink, width: 1.5, alpha });
      pen.dot(p.x(x), p.y(y), 2.5, { ink, alpha });
      return;
    }
    case "beam": {
      const age = Math.max(0, t - thing.to) / flashSeconds;
      if (age < 1) pen.lines([line(p, [x, y], thing.end)], { ink, width: 2, alpha: alpha * (1 - age) });
      return;
    }
    case "blast": {
      const age = (t - thing.from) / flashSeconds;
      if (age >= 1) return;
      const small = /bullet|spawn/.test(thing.what);
      const size = small ? 2 : 3 + 9 * age;
      pen.dot(p.x(x), p.y(y), size, { edge: colour("--series-2"), width: small ? 1 : 2, alpha: alpha * (1 - age) });
    }
  }
}

function line(p, [x0, y0], [x1, y1]) {
  return points([p.x(x0), p.y(y0)], [p.x(x1), p.y(y1)]);
}

function paintTrail(view, pen, p, track, t) {
  const last = before(track.t, t);
  const now = placeOf(track, t);
  let piece = [[p.x(now.x), p.y(now.y)]];
  const { colour: ink } = view.mark(track.player, t);
  for (let i = last; i >= 0 && track.run[i] === track.run[last] && t - track.t[i] <= trailSeconds; i--) {
    piece.push([p.x(track.x[i]), p.y(track.y[i])]);
    if (piece.length < 8) continue;
    pen.lines([piece], { ink, width: 2, alpha: 0.6 * (1 - (t - track.t[i]) / trailSeconds) });
    piece = [piece.at(-1)];
  }
  if (piece.length > 1) pen.lines([piece], { ink, width: 2, alpha: 0.1 });
}

function paintKill(view, pen, p, e, t) {
  const alpha = 1 - (t - e.t) / killSeconds;
  const [x, y] = [p.x(e.place[0]), p.y(e.place[1])];
  const ink = e.player === undefined ? colour("--ink") : view.mark(e.player, e.t).colour;
  if (e.from && e.player !== e.other) pen.lines([line(p, e.from, e.place)], { ink, width: 1.5, alpha, dash: [3, 3] });
  const arm = 6;
  const cross = [points([x - arm, y - arm], [x + arm, y + arm]), points([x - arm, y + arm], [x + arm, y - arm])];
  pen.lines(cross, { ink: colour("--team-red"), width: 2.5, alpha });
}

/** The corners of a sign of the palette around a point; null: it is round. */
const corners = {
  circle: () => null,
  rect: (x, y, r) => points([x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]),
  triangle: (x, y, r) => points([x, y - r * 1.25], [x + r * 1.15, y + r * 0.9], [x - r * 1.15, y + r * 0.9]),
  diamond: (x, y, r) => points([x, y - r * 1.35], [x + r * 1.35, y], [x, y + r * 1.35], [x - r * 1.35, y]),
};

function paintPlayer(view, pen, p, place, t) {
  const { colour: ink, symbol } = view.mark(place.player, t);
  const radius = view.follow === place.player ? 8 : 6.5;
  const [x, y] = [p.x(place.x), p.y(place.y)];
  const lost = place.since > 0;
  const down = is(place, "dead");
  const paper = colour("--paper");
  const alpha = (lost ? Math.max(0.25, 0.7 - place.since / 8) : 1) * dim(view, place.z);
  if (!is(place, "noView") && !down && !lost) {
    const turn = (view.scene.side ? 1 : -1) * place.yaw * 2 * Math.PI;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const fires = is(place, "firing");
    const reach = radius + (fires ? 18 : 9);
    const view2 = [points([x + cos * radius, y + sin * radius], [x + cos * reach, y + sin * reach])];
    pen.lines(view2, { ink, width: fires ? 3.5 : 2, alpha });
  }
  const size = down ? radius * 0.6 : radius;
  const look = { ink: lost || down ? null : ink, edge: lost || down ? ink : paper, width: 1.5, alpha };
  const shape = corners[symbol](x, y, size);
  if (shape) pen.polygon(shape, look);
  else pen.dot(x, y, size, look);
  const clear = (lost ? 0.6 : 1) * Math.max(0.35, dim(view, place.z));
  for (const [mark, flag] of flags) if (is(place, mark)) paintFlag(pen, x + 4, y - 6, flag, clear);
  const name = view.ctx.name(place.player) + (lost ? ` ${Math.round(place.since)} s ago` : "");
  const words = { ink: colour("--ink"), size: 12, align: "center", halo: paper, alpha: clear };
  if (view.names) pen.text(x, y - radius - 9, name, words);
  if (place.health > 0 && !lost) {
    const width = 26;
    const full = view.scene.side ? 10 : 100;
    const part = Math.min(place.health, full) / full;
    const bar = [x - width / 2, y + radius + 4];
    pen.boxes([[...bar, width, 4]], { ink: colour("--line"), alpha: clear });
    pen.boxes([[...bar, width * part, 4]], { ink: colour(part < 0.25 ? "--team-red" : "--series-3"), alpha: clear });
  }
}
