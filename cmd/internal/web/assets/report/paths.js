// The paths of players: made of the differences in the data, and cut where they jump.

/**
 * The tracks of one map with absolute numbers: [{player, t, x, y, z, gap, held}], t in seconds. A longer time between
 * two places than gap is a hole, in which nobody knows where the player was. held is how long each place is old,
 * where servers do not send each one.
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
  return tracks
    .filter((track) => track.map === map)
    .map((track) => {
      const path = {
        player: track.player,
        t: sum(track.times).map((t) => t * track.step),
        x: sum(track.x),
        y: sum(track.y),
        z: sum(track.z),
        gap: Math.max(shortGap, 1.5 * track.step),
      };
      path.held = side ? ages(path) : null;
      return path;
    });
}

/** How long each place is the same, in seconds. */
function ages(path) {
  const held = new Float64Array(path.t.length);
  for (let i = 1; i < held.length; i++) {
    const passed = path.t[i] - path.t[i - 1];
    if (passed <= path.gap && path.x[i] === path.x[i - 1] && path.y[i] === path.y[i - 1])
      held[i] = held[i - 1] + passed;
  }
  return held;
}

/**
 * The box around paths, and around the places of kills. A place that nobody came from or went on to, as one before the
 * game, is left out, unless there are no others.
 */
export function around(paths, kills, alone = false) {
  const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity, z0: Infinity, z1: -Infinity };
  for (const path of paths) {
    for (let i = 0; i < path.t.length; i++) {
      if (!alone && path.t.length > 2 && !continuesAt(path, i) && !continuesAt(path, i + 1)) continue;
      box.x0 = Math.min(box.x0, path.x[i]);
      box.x1 = Math.max(box.x1, path.x[i]);
      box.y0 = Math.min(box.y0, path.y[i]);
      box.y1 = Math.max(box.y1, path.y[i]);
      if (path.z?.length) {
        box.z0 = Math.min(box.z0, path.z[i]);
        box.z1 = Math.max(box.z1, path.z[i]);
      }
    }
  }
  for (const {
    place: [x, y],
  } of kills) {
    box.x0 = Math.min(box.x0, x);
    box.x1 = Math.max(box.x1, x);
    box.y0 = Math.min(box.y0, y);
    box.y1 = Math.max(box.y1, y);
  }
  if (box.x0 > box.x1) return alone ? around([], [{ place: [0, 0] }]) : around(paths, kills, true);
  for (const axis of ["x", "y"]) {
    // a player who never moves gets the ground around him
    const missing = smallest - (box[axis + "1"] - box[axis + "0"]);
    if (missing > 0) {
      box[axis + "0"] -= missing / 2;
      box[axis + "1"] += missing / 2;
    }
  }
  return box;
}

const smallest = 512; // units in each direction
const shortGap = 0.45; // seconds
const oldest = 3; // seconds: how old a place is at most that a server of Teeworlds leaves as it is
const fast = 1600; // units a second: what is faster is a teleporter or a new life

/**
 * Whether the path continues from place i-1 to place i. A server of Teeworlds sends where somebody is when he moves
 * otherwise than a client foresees, after three seconds at the latest: CCharacter::TickDefered in
 * src/game/server/entities/character.cpp. A track of a replay says it itself.
 */
export function continuesAt(path, i) {
  if (path.run) return path.run[i] === path.run[i - 1];
  const passed = path.t[i] - path.t[i - 1];
  const since = passed + (path.held ? Math.min(path.held[i - 1], oldest) : 0);
  return passed <= path.gap && Math.hypot(path.x[i] - path.x[i - 1], path.y[i] - path.y[i - 1]) <= fast * since + 60;
}

/** The first place at or after a time. */
export function indexAt(path, t) {
  let low = 0;
  let high = path.t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (path.t[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}
