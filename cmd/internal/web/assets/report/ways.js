// The ways of players: out of the differences in the data, and cut where they jump.

/**
 * The tracks of one map with absolute numbers: [{player, t, x, y, z, gap, held}], t in seconds. A longer time between two
 * places than gap is a hole, in which nobody knows where the player was. held is how long each place is old, where servers
 * do not send each one.
 */
export function unfold(tracks, map, side) {
  const sum = (list) => {
    const out = new Float64Array(list?.length ?? 0);
    let now = 0;
    for (let i = 0; i < out.length; i++) {
      now += list[i];
      out[i] = now;
    }
    return out;
  };
  return tracks.filter((track) => track.map === map).map((track) => {
    const w = { player: track.player, t: sum(track.times).map((t) => t * track.step), x: sum(track.x), y: sum(track.y), z: sum(track.z), gap: Math.max(shortGap, 1.5 * track.step) };
    w.held = side ? ages(w) : null;
    return w;
  });
}

/** How long each place is the same, in seconds. */
function ages(w) {
  const held = new Float64Array(w.t.length);
  for (let i = 1; i < held.length; i++) {
    const passed = w.t[i] - w.t[i - 1];
    if (passed <= w.gap && w.x[i] === w.x[i - 1] && w.y[i] === w.y[i - 1]) held[i] = held[i - 1] + passed;
  }
  return held;
}

/** The box around ways, and around the places of kills. A place that nobody came from or went on to, as one before the game, is left out. */
export function around(ways, kills) {
  const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity, z0: Infinity, z1: -Infinity };
  for (const w of ways) {
    for (let i = 0; i < w.t.length; i++) {
      if (w.t.length > 2 && !goesOn(w, i) && !goesOn(w, i + 1)) continue;
      box.x0 = Math.min(box.x0, w.x[i]);
      box.x1 = Math.max(box.x1, w.x[i]);
      box.y0 = Math.min(box.y0, w.y[i]);
      box.y1 = Math.max(box.y1, w.y[i]);
      if (w.z.length) {
        box.z0 = Math.min(box.z0, w.z[i]);
        box.z1 = Math.max(box.z1, w.z[i]);
      }
    }
  }
  for (const { place: [x, y] } of kills) {
    box.x0 = Math.min(box.x0, x);
    box.x1 = Math.max(box.x1, x);
    box.y0 = Math.min(box.y0, y);
    box.y1 = Math.max(box.y1, y);
  }
  for (const axis of ["x", "y"]) { // of somebody who stands still, the ground around him
    const missing = smallest - (box[axis + "1"] - box[axis + "0"]);
    if (missing > 0) {
      box[axis + "0"] -= missing / 2;
      box[axis + "1"] += missing / 2;
    }
  }
  return box;
}

const smallest = 512; // units each way
const shortGap = 0.45; // seconds
const oldest = 3; // seconds: how old a place is at most that a server of Teeworlds leaves as it is
const fast = 1600; // units a second: what is faster is a teleporter or a new life

/**
 * Whether the way goes on from place i-1 to place i.
 *
 * A server of Teeworlds sends where somebody is when he moves otherwise than a client foresees, after three seconds at the
 * latest: CCharacter::TickDefered in src/game/server/entities/character.cpp.
 */
export function goesOn(w, i) {
  const passed = w.t[i] - w.t[i - 1];
  const since = passed + (w.held ? Math.min(w.held[i - 1], oldest) : 0);
  return passed <= w.gap && Math.hypot(w.x[i] - w.x[i - 1], w.y[i] - w.y[i - 1]) <= fast * since + 60;
}

/** The first place at or after a time. */
export function indexAt(w, t) {
  let low = 0;
  let high = w.t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (w.t[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}
