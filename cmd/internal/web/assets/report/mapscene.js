// A map with what happened on it, and the choice of what is shown: the window of time, the players, the heights.

import { colour } from "../colour.js";
import { around, indexAt, unfold } from "./paths.js";
import { planOf, widen } from "./plan.js";

export const trailSeconds = 30; // of a path that are shown while it plays
const killShown = 6; // seconds for which a kill is shown then
const manyKills = 100; // a map with more opens without its crosses
const manySeconds = 300; // of paths: more on one map are a tangle, which opens as heat
const clickReach = 12; // pixels
const pathReach = 8; // pixels

/** The layers of a map that is shown as heat, and as paths. */
export const asHeat = { paths: false, heat: true };
export const asPaths = { paths: true, heat: false };

/**
 * The paths and kills on one map of ctx.game; map is its index in game.maps, -1: not known. tracks: those of a replay,
 * which has places of who was seen too shortly for a path, or by others.
 *
 * Players are at places (units of the game), a picture has points (pixels): project makes the second of the first.
 * Changed by the controls: at (the second that plays; null: all of the window), layers, hidden (players), low and high
 * (heights).
 */
export class Scene {
  constructor(ctx, map, tracks = []) {
    const game = ctx.game;
    this.ctx = ctx;
    this.side = game.view === "side";
    this.unit = game.unit;
    this.paths = unfold(game.tracks, map, this.side);
    const onMap = (e) => (game.maps?.length ?? 0) <= 1 || mapAt(game, e.t) === map;
    this.kills = game.events.filter((e) => e.event === "kill" && e.place && onMap(e));
    this.world = around([...this.paths, ...tracks], this.kills);
    this.plan = map < 0 ? null : planOf(ctx, game.maps[map].map);
    if (this.plan) widen(this.world, this.plan);
    this.pad = Math.max(64, (this.world.x1 - this.world.x0) * 0.04);
    this.at = null;
    this.hidden = new Set();
    this.low = this.world.z0;
    this.high = this.world.z1;
    this.layers = { plan: true, ground: !this.plan, kills: true, ...asPaths };
    if (busy(this.paths)) Object.assign(this.layers, asHeat, { kills: this.kills.length <= manyKills });
  }

  /** The seconds that are shown. */
  get from() {
    return this.at === null ? this.ctx.from : Math.max(this.ctx.from, this.at - trailSeconds);
  }
  get to() {
    return this.at === null ? this.ctx.to : this.at;
  }

  /** The heights that are shown; whole: all that there are. */
  get floors() {
    return {
      low: this.low,
      high: this.high,
      whole: this.low <= this.world.z0 && this.high >= this.world.z1,
    };
  }

  /** How high the picture is for its width. */
  get shape() {
    const { x0, x1, y0, y1 } = this.world;
    return (y1 - y0 + 2 * this.pad) / (x1 - x0 + 2 * this.pad);
  }

  /** Whether place i of a path is at a height that is shown. */
  onFloor(path, i) {
    return !path.z.length || (path.z[i] >= this.low && path.z[i] <= this.high);
  }

  get shownPaths() {
    return this.paths.filter((path) => !this.hidden.has(path.player));
  }

  get shownKills() {
    const from = this.at === null ? this.ctx.from : this.at - killShown;
    return this.kills.filter((e) => {
      const height = e.place[2];
      return (
        e.t >= from &&
        e.t <= this.to &&
        !(this.hidden.has(e.other) && this.hidden.has(e.player)) &&
        (height === undefined || !(height < this.low - 1 || height > this.high + 1))
      );
    });
  }

  /** How places become points of a picture of this width and height. */
  project(width, height) {
    const { x0, x1, y0, y1 } = this.world;
    const scale = Math.min(width / (x1 - x0 + 2 * this.pad), height / (y1 - y0 + 2 * this.pad));
    const left = (width - (x1 - x0) * scale) / 2;
    const top = (height - (y1 - y0) * scale) / 2;
    return {
      scale,
      x: (x) => left + (x - x0) * scale,
      y: (y) => (this.side ? top + (y - y0) * scale : height - top - (y - y0) * scale),
    };
  }

  /** The kill whose cross is at a point (x, y) of a picture. */
  killAt({ projection: p, x, y }) {
    const near = this.shownKills
      .map((e) => ({ e, d: Math.hypot(p.x(e.place[0]) - x, p.y(e.place[1]) - y) }))
      .sort((a, b) => a.d - b.d)[0];
    return near?.d < clickReach ? near.e : null;
  }

  /** Who was when at a point of a picture: {player, t}. */
  pathAt({ projection: p, x, y }) {
    if (!this.layers.paths) return null;
    let best = null;
    let reach = pathReach ** 2;
    for (const path of this.shownPaths) {
      for (let i = indexAt(path, this.from), end = indexAt(path, this.to); i < end; i++) {
        const [dx, dy] = [p.x(path.x[i]) - x, p.y(path.y[i]) - y];
        const d = dx * dx + dy * dy;
        if (d < reach && this.onFloor(path, i)) [best, reach] = [{ player: path.player, t: path.t[i] }, d];
      }
    }
    return best;
  }

  /** What the picture of the plan depends on, as a key: it is drawn again when that changes. */
  planKey(width, height, ratio) {
    return [width, height, ratio, this.low, this.high, colour("--paper")].join();
  }

  /** The places that are shown, as rows of the table. */
  rows() {
    const { ctx } = this;
    const rows = [];
    for (const path of this.shownPaths) {
      for (let i = indexAt(path, ctx.from), end = indexAt(path, ctx.to); i < end; i++) {
        if (!this.onFloor(path, i)) continue;
        const seconds = Math.round(path.t[i] * 10) / 10;
        const { client } = ctx.game.players[path.player];
        const z = path.z.length ? path.z[i] : null;
        rows.push([seconds, client, ctx.name(path.player), path.x[i], path.y[i], z]);
      }
    }
    return rows;
  }
}

/** The heads of the rows. */
export const columns = [
  { key: "time", type: "number", unit: "s" },
  { key: "client", type: "integer" },
  { key: "name", type: "string" },
  { key: "x", type: "integer" },
  { key: "y", type: "integer" },
  { key: "z", type: "integer" },
];

/** Whether there are too many paths to tell them apart. */
function busy(paths) {
  return paths.reduce((sum, p) => sum + (p.t.length ? p.t.at(-1) - p.t[0] : 0), 0) > manySeconds;
}

/** The index of the map that is played at a time, -1: not known. */
function mapAt(game, t) {
  return (game.maps ?? []).findLastIndex((m) => m.t <= t);
}
