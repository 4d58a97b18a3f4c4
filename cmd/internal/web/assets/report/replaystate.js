// Where everybody is at a moment of a replay, as far as it is known.

import { bits } from "./replaydata.js";

const hole = 0.5; // seconds without a state
const shown = 0.15; // seconds for which a place stands for itself: longer than between two states
const bucket = 5; // seconds of an index of things

/** The last index whose time is not after t; -1: none. */
export function before(times, t) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The times from and to which no state is there, between the first and the last one. */
export function holesOf({ times, still }) {
  const holes = [];
  if (still) return holes;
  for (let i = 1; i < times.length; i++) if (times[i] - times[i - 1] > hole) holes.push([times[i - 1], times[i]]);
  return holes;
}

/**
 * A player at a time: {player, x, y, z, yaw, weapon, health, armor, state, since, index}; null: not seen yet. since is
 * for how many seconds nothing has shown him, 0 while he is seen. Between two places he moves evenly, as the games draw
 * it, and never from one run of places to the next.
 */
export function placeOf(track, t) {
  const i = before(track.t, t);
  if (i < 0) return null;
  const next = i + 1 < track.count && track.run[i + 1] === track.run[i] ? i + 1 : -1;
  const part = next < 0 ? 0 : (t - track.t[i]) / (track.t[next] - track.t[i]);
  const between = (list) => (next < 0 || !list ? list?.[i] : list[i] + (list[next] - list[i]) * part);
  const turn = next < 0 ? 0 : track.yaw[next] - track.yaw[i];
  const old = next < 0 ? t - track.t[i] : 0;
  return {
    player: track.player,
    index: i,
    x: between(track.x),
    y: between(track.y),
    z: between(track.z),
    yaw: track.yaw[i] + (turn - Math.round(turn)) * part,
    weapon: track.weapon[i],
    health: track.health[i],
    armor: track.armor[i],
    state: track.state[i],
    since: old > shown ? old : 0,
  };
}

/** Whether a place has a mark of what a player is: is(place, "dead"). */
export function is(place, what) {
  return (place.state & bits[what]) !== 0;
}

/** What is not a player, by time: at(t) gives the things that are seen, or were within the seconds after which. */
export function thingIndex(things, after) {
  const buckets = [];
  const first = things.reduce((least, thing) => Math.min(least, thing.from), Infinity);
  const at = (t) => Math.floor((t - first) / bucket);
  for (const thing of things)
    for (let b = at(thing.from), last = at(thing.to + after); b <= last; b++) (buckets[b] ??= []).push(thing);
  return (t) => (buckets[at(t)] ?? []).filter((thing) => thing.from <= t && t <= thing.to + after);
}

/** Where a thing is at a time. */
export function thingAt(thing, t) {
  const i = before(thing.t, t);
  if (i < 0) return thing.places[0];
  if (i + 1 >= thing.t.length) return thing.places[i];
  const part = (t - thing.t[i]) / (thing.t[i + 1] - thing.t[i]);
  return thing.places[i].map((v, a) => v + (thing.places[i + 1][a] - v) * part);
}

/**
 * The places where items come again, each with the things that were seen there: there an item is dimmed while nothing
 * shows it. What was seen in one place only once, and not for long, was dropped.
 */
export function spotsOf(things) {
  const spots = new Map();
  for (const thing of things) {
    if (thing.kind !== "item" || thing.places.length > 1 || /flag/.test(thing.what)) continue;
    const [x, y, z = 0] = thing.places[0];
    const key = `${thing.what} ${Math.round(x / 16)} ${Math.round(y / 16)} ${Math.round(z / 16)}`;
    const spot = spots.get(key);
    if (spot) spot.seen.push(thing);
    else spots.set(key, { what: thing.what, place: thing.places[0], seen: [thing] });
  }
  const lasting = ({ seen }) => seen.length > 1 || seen[0].to - seen[0].from > 30;
  const list = [...spots.values()].filter(lasting);
  for (const spot of list) {
    spot.begins = spot.seen.map((thing) => thing.from);
    for (const thing of spot.seen) thing.spot = spot;
  }
  return list;
}

/** The score of a match at a time: [{name, team, player, points}]. */
export function scoreAt(course, t) {
  return (course?.scores ?? []).map((s) => {
    const i = s.points.findLastIndex(([at]) => at <= t);
    return { ...s, points: i < 0 ? 0 : s.points[i][1] };
  });
}

/** The seconds of a match that were played until a time, without its pauses. */
export function matchClock({ from }, pauses, t) {
  let passed = t - from;
  for (const [start, end] of pauses ?? []) passed -= Math.max(0, Math.min(t, end) - Math.max(from, start));
  return passed;
}
