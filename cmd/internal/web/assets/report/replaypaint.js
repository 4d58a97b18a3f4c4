// The picture of a moment of a replay.

import { colour } from "../colour.js";
import { canvasPen } from "./pen.js";
import { paint, paintPlan } from "./maplayers.js";
import { before, is, placeOf, thingAt } from "./replaystate.js";

const trailSeconds = 2;
const killSeconds = 3; // for which a kill is shown
const flashSeconds = 0.35; // for which a shot or an explosion is shown
const lostSeconds = 60; // after which nobody looks for who was not seen
const floorHeight = 160; // units below the cut that are drawn in full
const itemInks = [
  [/flag|skull/, "--series-4"],
  [/health|medkit|medpack/, "--series-3"],
  [/armor|shield|vest|helmet/, "--series-5"],
  [/quad|enviro|haste|invis|regen|flight|power|ninja|force|enlighten|boon/, "--series-1"],
  [/weapon|gun|launcher|grenade|laser|rocket|rail/, "--series-2"],
];

/** Draws what does not move: the map, or the ground that was walked on. */
export function paintGround(view, canvas, width, height, ratio) {
  const { scene, cut } = view;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colour("--paper");
  context.fillRect(0, 0, width, height);
  const pen = canvasPen(context);
  const { low, high } = scene;
  if (cut !== null && scene.plan) {
    [scene.low, scene.high] = [scene.world.z0 - 4096, cut - floorHeight];
    paintPlan(scene, pen, width, height);
    context.globalAlpha = 0.6;
    context.fillStyle = colour("--paper");
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 1;
    [scene.low, scene.high] = [cut - floorHeight, cut];
    paintPlan(scene, pen, width, height);
  } else if (scene.plan) paintPlan(scene, pen, width, height);
  const layers = { ...scene.layers };
  Object.assign(scene.layers, { plan: false, ground: !scene.plan, heat: false, paths: false, kills: false });
  if (cut !== null) [scene.low, scene.high] = [cut - floorHeight, cut];
  paint(scene, pen, width, height, { planDrawn: true });
  scene.layers = layers;
  [scene.low, scene.high] = [low, high];
}

/** Draws everybody and everything at a time. p projects; view has the replay and what is chosen. */
export function paintMoment(view, context, p, t) {
  const pen = canvasPen(context);
  const { ctx, replay } = view;
  for (const spot of view.spots) paintSpot(view, pen, context, p, spot, t);
  for (const thing of view.things(t)) paintThing(view, pen, context, p, thing, t);
  const places = replay.tracks.map((track) => [track, placeOf(track, t)]).filter(([, place]) => place);
  if (view.trails) for (const [track, place] of places) if (!place.since) paintTrail(view, pen, p, track, t);
  for (const e of view.kills) if (e.t <= t && t - e.t < killSeconds) paintKill(view, pen, p, e, t);
  for (const [, place] of places) if (place.since <= lostSeconds) paintPlayer(view, pen, context, p, place);
  context.globalAlpha = 1;
  return ctx;
}

/** How much of something at a height is seen. */
function dim(view, z) {
  if (view.cut === null || z === undefined) return 1;
  if (z > view.cut + 8) return 0.15;
  return z < view.cut - floorHeight ? 0.35 : 1;
}

function paintSpot(view, pen, context, p, spot, t) {
  if (spot.seen[0].from > t) return;
  const now = spot.seen.some((s) => s.from <= t && t <= s.to + 0.1);
  const [x, y, z] = spot.place;
  paintItem(view, pen, context, p.x(x), p.y(y), spot.what, (now ? 1 : 0.3) * dim(view, z), now);
}

function paintItem(view, pen, context, x, y, what, alpha, filled) {
  const major = /mega|body|red|quad|flag|haste|regen|invis|enviro|flight/.test(what);
  const size = major ? 5 : 3;
  const ink = colour(itemInks.find(([name]) => name.test(what))?.[1] ?? "--series-7");
  context.globalAlpha = alpha;
  context.fillStyle = context.strokeStyle = ink;
  context.setLineDash([]);
  context.lineWidth = 1.5;
  if (/flag/.test(what)) return paintFlag(context, x, y, /red/.test(what) ? "--team-red" : "--team-blue");
  if (filled) context.fillRect(x - size, y - size, 2 * size, 2 * size);
  else context.strokeRect(x - size, y - size, 2 * size, 2 * size);
  context.globalAlpha = 1;
}

function paintFlag(context, x, y, ink) {
  context.fillStyle = context.strokeStyle = colour(ink);
  context.setLineDash([]);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y + 2);
  context.lineTo(x, y - 14);
  context.stroke();
  context.beginPath();
  context.moveTo(x, y - 14);
  context.lineTo(x + 11, y - 10);
  context.lineTo(x, y - 6);
  context.fill();
  context.globalAlpha = 1;
}

function paintThing(view, pen, context, p, thing, t) {
  const ink = thing.owner >= 0 ? view.mark(thing.owner).colour : colour("--ink");
  const [x, y, z] = thingAt(thing, t);
  const alpha = dim(view, z);
  const seen = t <= thing.to + 0.1;
  switch (thing.kind) {
    case "item": // one that lies still is a spot
      if (seen && thing.places.length > 1) paintItem(view, pen, context, p.x(x), p.y(y), thing.what, alpha, true);
      return;
    case "missile": {
      if (!seen) return;
      const [fromX, fromY] = thingAt(thing, Math.max(thing.from, t - 0.08));
      pen.lines([line(p, [fromX, fromY], [x, y])], { ink, width: 2, alpha: alpha * 0.7 });
      pen.dot(p.x(x), p.y(y), /rocket|bfg|grenade/.test(thing.what) ? 3.5 : 2.5, { ink });
      return;
    }
    case "hook": {
      const owner = view.replay.tracks.find((track) => track.player === thing.owner);
      const place = owner && placeOf(owner, t);
      if (!seen || !place || place.since) return;
      pen.lines([line(p, [place.x, place.y], [x, y])], { ink, width: 1.5, alpha });
      pen.dot(p.x(x), p.y(y), 2.5, { ink });
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
      context.globalAlpha = alpha * (1 - age);
      context.strokeStyle = colour("--series-2");
      context.setLineDash([]);
      context.lineWidth = small ? 1 : 2;
      context.beginPath();
      context.arc(p.x(x), p.y(y), small ? 2 : 3 + 9 * age, 0, 2 * Math.PI);
      context.stroke();
      context.globalAlpha = 1;
    }
  }
}

function line(p, [x0, y0], [x1, y1]) {
  return [
    [p.x(x0), p.y(y0)],
    [p.x(x1), p.y(y1)],
  ];
}

function paintTrail(view, pen, p, track, t) {
  const last = before(track.t, t);
  const now = placeOf(track, t);
  let points = [[p.x(now.x), p.y(now.y)]];
  const { colour: ink } = view.mark(track.player);
  for (let i = last; i >= 0 && track.run[i] === track.run[last] && t - track.t[i] <= trailSeconds; i--) {
    points.push([p.x(track.x[i]), p.y(track.y[i])]);
    if (points.length < 8) continue;
    pen.lines([points], { ink, width: 2, alpha: 0.55 * (1 - (t - track.t[i]) / trailSeconds) });
    points = [points.at(-1)];
  }
  if (points.length > 1) pen.lines([points], { ink, width: 2, alpha: 0.1 });
}

function paintKill(view, pen, p, e, t) {
  const alpha = 1 - (t - e.t) / killSeconds;
  const [x, y] = [p.x(e.place[0]), p.y(e.place[1])];
  const ink = e.player === undefined ? colour("--ink") : view.mark(e.player).colour;
  if (e.from && e.player !== e.other) pen.lines([line(p, e.from, e.place)], { ink, width: 1.5, alpha, dash: [3, 3] });
  const arm = 6;
  pen.lines(
    [
      [
        [x - arm, y - arm],
        [x + arm, y + arm],
      ],
      [
        [x - arm, y + arm],
        [x + arm, y - arm],
      ],
    ],
    { ink: colour("--team-red"), width: 2.5, alpha },
  );
}

/** How a sign is drawn, by its name in the palette. */
const shapes = {
  circle: (c, r) => c.arc(0, 0, r, 0, 2 * Math.PI),
  rect: (c, r) => c.rect(-r * 0.9, -r * 0.9, r * 1.8, r * 1.8),
  triangle: (c, r) => polygon(c, [0, -r * 1.15, r * 1.1, r * 0.85, -r * 1.1, r * 0.85]),
  diamond: (c, r) => polygon(c, [0, -r * 1.25, r * 1.25, 0, 0, r * 1.25, -r * 1.25, 0]),
};

function polygon(c, [x, y, ...rest]) {
  c.moveTo(x, y);
  for (let i = 0; i < rest.length; i += 2) c.lineTo(rest[i], rest[i + 1]);
  c.closePath();
}

function paintPlayer(view, pen, context, p, place) {
  const { colour: ink, symbol } = view.mark(place.player);
  const radius = view.follow === place.player ? 8 : 6.5;
  const [x, y] = [p.x(place.x), p.y(place.y)];
  const lost = place.since > 0;
  context.save();
  context.globalAlpha = (lost ? Math.max(0.2, 0.6 - place.since / 8) : 1) * dim(view, place.z);
  context.translate(x, y);
  context.setLineDash([]);
  if (!is(place, "noView") && !is(place, "dead") && !lost) {
    const turn = (view.scene.side ? 1 : -1) * place.yaw * 2 * Math.PI;
    context.strokeStyle = ink;
    context.lineWidth = is(place, "firing") ? 3.5 : 2;
    context.beginPath();
    context.moveTo(Math.cos(turn) * radius, Math.sin(turn) * radius);
    const reach = radius + (is(place, "firing") ? 18 : 9);
    context.lineTo(Math.cos(turn) * reach, Math.sin(turn) * reach);
    context.stroke();
  }
  context.beginPath();
  shapes[symbol](context, is(place, "dead") ? radius * 0.6 : radius);
  context.fillStyle = ink;
  context.strokeStyle = lost || is(place, "dead") ? ink : colour("--paper");
  context.lineWidth = 1.5;
  if (!lost && !is(place, "dead")) context.fill();
  context.stroke();
  context.restore();
  context.save();
  context.globalAlpha = (lost ? 0.6 : 1) * Math.max(0.35, dim(view, place.z));
  for (const [mark, flag] of [
    ["redFlag", "--team-red"],
    ["blueFlag", "--team-blue"],
    ["otherFlag", "--series-5"],
  ]) {
    if (is(place, mark)) paintFlag(context, x + 4, y - 6, flag);
  }
  context.globalAlpha = (lost ? 0.6 : 1) * Math.max(0.35, dim(view, place.z));
  const name = view.ctx.name(place.player) + (lost ? ` ${Math.round(place.since)} s ago` : "");
  if (view.names)
    pen.text(x, y - radius - 9, name, { ink: colour("--ink"), size: 12, align: "center", halo: colour("--paper") });
  if (place.health > 0 && !lost) {
    const width = 26;
    const full = view.scene.side ? 10 : 100;
    context.fillStyle = colour("--line");
    context.fillRect(x - width / 2, y + radius + 4, width, 4);
    context.fillStyle = colour(place.health * 4 < full ? "--team-red" : "--series-3");
    context.fillRect(x - width / 2, y + radius + 4, (width * Math.min(place.health, full)) / full, 4);
  }
  context.restore();
}
