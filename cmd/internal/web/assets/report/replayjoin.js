// Several recordings of one match as one replay: what each shows fills what the others do not.

import { unpackReplay } from "./replaydata.js";
import { before } from "./replaystate.js";

const leastCommon = 20; // places that two recordings of one match must have in common
const same = 3; // units: a player's own state has fractions, what others see of him is whole
const moment = 0.06; // seconds: longer than between two states

/**
 * The replays of other inputs that show the same match, by their places: [{name, replay, common}]. Their times are
 * those of this one, and their players the game's.
 */
export function companionsOf(ctx, packed, own) {
  if (packed.clock === undefined || packed.map < 0) return [];
  const found = [];
  for (const file of ctx.doc.files) {
    if (file === ctx.file || file.laid) continue;
    for (const game of file.pictures.games ?? []) {
      if (game.protocol !== ctx.game.protocol) continue;
      for (const other of game.replays ?? []) {
        if (other.clock === undefined || game.maps?.[other.map]?.map !== ctx.game.maps[packed.map].map) continue;
        const replay = moved(unpackReplay(other), (other.clock - packed.clock) / 1000, game, ctx.game);
        const common = agreement(own, replay);
        if (common) found.push({ name: file.name.replace(/^.*\//, ""), replay, common });
      }
    }
  }
  return found;
}

/** A replay on another axis, with the players of another game. */
function moved(replay, by, from, to) {
  const index = new Map();
  from.players.forEach((p, i) => {
    index.set(
      i,
      to.players.findIndex((q) => q.client === p.client && q.name_clean === p.name_clean),
    );
  });
  const shift = (list) => list.map((t) => t + by);
  replay.times = shift(replay.times);
  for (const track of replay.tracks) [track.player, track.t] = [index.get(track.player) ?? -1, shift(track.t)];
  replay.tracks = replay.tracks.filter((track) => track.player >= 0);
  for (const thing of replay.things) {
    [thing.from, thing.to, thing.t] = [thing.from + by, thing.to + by, shift(thing.t)];
    thing.owner = index.get(thing.owner) ?? -1;
  }
  return replay;
}

/** How many places two replays have in common; 0: they are not of one match. */
function agreement(a, b) {
  let common = 0;
  let right = 0;
  for (const mine of a.tracks) {
    for (const theirs of b.tracks) {
      if (mine.player !== theirs.player) continue;
      const step = Math.max(1, Math.floor(mine.count / 2000)); // some of them are enough
      for (let i = 0; i < mine.count; i += step) {
        const j = before(theirs.t, mine.t[i] + 0.0005);
        if (j < 0 || Math.abs(theirs.t[j] - mine.t[i]) > 0.0005) continue;
        common++;
        const apart = ["x", "y", "z"].map((axis) => (mine[axis] ? Math.abs(mine[axis][i] - theirs[axis][j]) : 0));
        if (Math.max(...apart) <= same) right++;
      }
    }
  }
  return common >= leastCommon && right >= 0.9 * common ? common : 0;
}

/** A replay with what its companions show. */
export function joined(own, companions) {
  const all = [own, ...companions.map((c) => c.replay)];
  const names = [...new Set(all.flatMap((r) => r.names))];
  const tracks = new Map();
  for (const replay of all) {
    const weapons = replay.names.map((name) => names.indexOf(name));
    for (const track of replay.tracks) {
      if (!tracks.has(track.player)) tracks.set(track.player, []);
      tracks.get(track.player).push({ ...track, weapon: track.weapon.map((w) => weapons[w]) });
    }
  }
  const things = [];
  for (const replay of all)
    for (const thing of replay.things) if (!things.some((o) => isSame(o, thing))) things.push(thing);
  return {
    ...own,
    names,
    tracks: [...tracks.values()].map(joinTracks),
    things: things.sort((a, b) => a.from - b.from),
    times: Float64Array.from([...new Set(all.flatMap((r) => [...r.times]))]).sort(),
  };
}

function isSame(a, b) {
  return (
    a.kind === b.kind &&
    a.what === b.what &&
    a.from <= b.to + moment &&
    b.from <= a.to + moment &&
    Math.max(...a.places[0].map((v, i) => Math.abs(v - b.places[0][i]))) < 48
  );
}

/** One track of several of a player. The one that knows most of him counts, and others where it has no place. */
function joinTracks(list) {
  if (list.length === 1) return list[0];
  const known = (track) => track.health.reduce((n, h) => n + (h >= 0 ? 1 : 0), 0);
  const [first, ...rest] = [...list].sort((a, b) => known(b) - known(a) || b.count - a.count);
  return rest.reduce(fillIn, first);
}

/** The places of a track, and those of another that are at no time of its runs. */
function fillIn(main, other) {
  const keys = ["t", "x", "y", "z", "yaw", "weapon", "health", "armor", "state"].filter((key) => main[key]);
  const places = [];
  for (let i = 0; i < main.count; i++) places.push([main.t[i], main, i]);
  for (let i = 0; i < other.count; i++) {
    const at = before(main.t, other.t[i]);
    const inside = at >= 0 && at + 1 < main.count && main.run[at] === main.run[at + 1];
    const near = [at, at + 1].some((n) => n >= 0 && n < main.count && Math.abs(main.t[n] - other.t[i]) < moment);
    if (!inside && !near) places.push([other.t[i], other, i]);
  }
  places.sort((a, b) => a[0] - b[0]);
  const out = { player: main.player, count: places.length, run: new Int32Array(places.length) };
  for (const key of keys) out[key] = new main[key].constructor(places.length);
  places.forEach(([, track, i], n) => {
    for (const key of keys) out[key][n] = track[key][i];
    const [, was, j] = places[n - 1] ?? [];
    out.run[n] = was === track && track.run[i] === track.run[j] ? out.run[n - 1] : n;
  });
  return out;
}
