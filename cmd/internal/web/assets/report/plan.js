// The map itself, behind the paths of players: floors by height, liquids and walls of a BSP, or the tiles of Teeworlds.

import { channels, colour } from "../colour.js";

const bodyHeight = 24; // units from the ground to the place of a player: the game's MINS_Z
const headRoom = 72; // what is this far above the highest place hides it: a roof

/** The plan of a map with absolute numbers; null: there is none. */
export function planOf(ctx, mapName) {
  const index = ctx.file.plans?.[mapName];
  const plan = index === undefined ? null : ctx.doc.plans[index];
  if (!plan) return null;
  const polygon = ([z, ...numbers]) => {
    const points = [];
    let [x, y] = [0, 0];
    for (let i = 0; i + 1 < numbers.length; i += 2) points.push([(x += numbers[i]), (y += numbers[i + 1])]);
    return { z, points };
  };
  return {
    name: plan.name,
    from: plan.from,
    leftOut: plan.left_out ?? 0,
    boxes: plan.boxes ?? [],
    floors: (plan.floors ?? []).map(polygon),
    liquids: (plan.liquids ?? []).map(polygon),
    walls: (plan.walls ?? []).map(([x, y, dx, dy, low, high]) => ({
      ends: [
        [x, y],
        [x + dx, y + dy],
      ],
      low,
      high,
    })),
  };
}

/** Widens a world by a plan, unless most of it would be ground that nobody ever saw. */
export function widen(world, plan) {
  const box = { x0: world.x0, x1: world.x1, y0: world.y0, y1: world.y1 };
  const take = (x, y) => {
    box.x0 = Math.min(box.x0, x);
    box.x1 = Math.max(box.x1, x);
    box.y0 = Math.min(box.y0, y);
    box.y1 = Math.max(box.y1, y);
  };
  // Of a map seen from the side most is solid: as much of it as half of what was played on, each way.
  const [wide, high] = [(world.x1 - world.x0) / 2, (world.y1 - world.y0) / 2];
  for (const [x, y, w, h] of plan.boxes) {
    take(Math.max(x, world.x0 - wide), Math.max(y, world.y0 - high));
    take(Math.min(x + w, world.x1 + wide), Math.min(y + h, world.y1 + high));
  }
  for (const { z, points } of plan.floors) if (z <= world.z1 + headRoom) points.forEach(([x, y]) => take(x, y));
  const grown = ((box.x1 - box.x0) * (box.y1 - box.y0)) / Math.max(1, (world.x1 - world.x0) * (world.y1 - world.y0));
  if (grown < 8) Object.assign(world, box);
}

/** Draws a plan. floors: {low, high, whole} are the heights of players that are shown. */
export function drawPlan(pen, p, plan, world, floors) {
  const at = ([x, y]) => [p.x(x), p.y(y)];
  const ink = colour("--ink-2");
  const shown = (z) =>
    z <= floors.high + (floors.whole ? headRoom : 0) && (floors.whole || z >= floors.low - bodyHeight - 40);
  const [from, to] = [world.z0 - bodyHeight, world.z1];
  const paper = colour("--paper");
  const seam = 0.6; // pixels by which boxes overlap, so that no gap is seen between neighbours
  pen.boxes(
    plan.boxes.map(([x, y, w, h]) => [p.x(x), p.y(y), w * p.scale + seam, h * p.scale + seam]),
    { ink: mixed(paper, ink, 0.45) },
  );
  const light = channels(paper)[1] > 127;
  const surfaces = [
    ...plan.floors.map((f) => ({ ...f, wet: false })),
    ...plan.liquids.map((f) => ({ ...f, wet: true })),
  ].sort((a, b) => a.z - b.z);
  for (const { z, points, wet } of surfaces) {
    if (!shown(z)) continue;
    const height = Math.min(1, Math.max(0, (z - from) / Math.max(1, to - from)));
    const part = Math.round((light ? 0.42 - 0.3 * height : 0.14 + 0.34 * height) * 20) / 20;
    pen.polygon(points.map(at), {
      ink: wet ? mixed(paper, colour("--series-6"), part + 0.1) : mixed(paper, ink, part),
    });
  }
  const walls = plan.walls.filter((w) =>
    floors.whole
      ? w.low <= floors.high + headRoom
      : w.high >= floors.low - bodyHeight && w.low <= floors.high + bodyHeight,
  );
  pen.lines(
    walls.map((w) => w.ends.map(at)),
    { ink, width: 1, alpha: 0.55 },
  );
}

/** A colour between two: part 0 is the first one. */
function mixed(a, b, part) {
  const [from, to] = [channels(a), channels(b)];
  return `rgb(${from.map((c, i) => Math.round(c + (to[i] - c) * part)).join(",")})`;
}
