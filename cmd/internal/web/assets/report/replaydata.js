// What a replay has, unpacked: dissect/view/replay packs it.

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./" + ":;=?@[]^_`{|}~ '";
const goOn = 16; // digits that go on; those before them end a number
const ends = alphabet.length - goOn;
const digits = new Uint8Array(128);
for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;

/** A reader of packed numbers: next() gives one, done() says whether there are no more. */
function reader(text) {
  let at = 0;
  const next = () => {
    let n = 0;
    let unit = 1;
    let digit;
    while ((digit = digits[text.charCodeAt(at++)]) >= ends) {
      n += digit * unit;
      unit *= goOn;
    }
    n += digit * unit;
    return n % 2 ? -(n + 1) / 2 : n / 2;
  };
  return { next, done: () => at >= text.length };
}

/** As many packed numbers of 32 bits. Most are one character, which is what takes time in an hour of play. */
function numbers(text, count) {
  const out = new Int32Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    let digit = digits[text.charCodeAt(at++)];
    let n = digit;
    for (let shift = 4; digit >= ends; shift += 4) {
      digit = digits[text.charCodeAt(at++)];
      n = (n + (digit << shift)) | 0;
    }
    out[i] = (n >>> 1) ^ -(n & 1);
  }
  return out;
}

/** The sums of as many packed numbers: a capture may be longer than 32 bits of milliseconds. */
function sums(text, count, scale = 1) {
  const out = new Float64Array(count);
  const { next } = reader(text);
  for (let i = 0, now = 0; i < count; i++) out[i] = (now += next()) * scale;
  return out;
}

const nearRecords = 100; // records that may follow a state before the next one

const kinds = ["player", "missile", "item", "hook", "beam", "blast"];

/** Bits of what a player is or has. */
export const bits = { dead: 1, firing: 2, redFlag: 4, blueFlag: 8, otherFlag: 16, ofView: 32, noView: 64 };

/**
 * A replay with absolute numbers: {map, names, times, records, tracks, things}. times has the second of each state,
 * records the number of its packet or message.
 */
export function unpackReplay(packed) {
  const { times, records } = statesOf(packed);
  return {
    map: packed.map,
    names: packed.names,
    still: packed.still,
    times,
    records,
    tracks: packed.tracks.map((t) => unpackTrack(t, times)),
    things: unpackThings(packed, times),
  };
}

const known = new WeakMap();

/** The second of each state, and the number of its packet or message. */
function statesOf(packed) {
  if (!known.has(packed)) {
    const times = sums(packed.times, packed.count, 1 / 1000);
    known.set(packed, { times, records: sums(packed.records, packed.count) });
  }
  return known.get(packed);
}

/**
 * The state of a record, or the last one before it, within some records: {t, behind}, its second and by how many
 * records it is behind; null: there is none.
 */
export function stateOfRecord(packed, record) {
  const { times, records } = statesOf(packed);
  const i = records.findLastIndex((r) => r <= record);
  const behind = record - records[i];
  return i >= 0 && behind < nearRecords ? { t: times[i], behind } : null;
}

/**
 * The places of a player: lists t, x, y, z (undefined in a game without heights) and yaw (in turns); weapon, health,
 * armor and state of each place; run, which is the same for the places between which he moves.
 */
function unpackTrack(packed, times) {
  const { count } = packed;
  const track = { player: packed.player, count, t: new Float64Array(count), run: new Int32Array(count) };
  const { next } = reader(packed.runs);
  const steps = packed.steps ? numbers(packed.steps, packed.steps.length) : null;
  for (let i = 0, run = 0, state = 0, step = 0; i < count; run++) {
    state += next();
    for (const end = i + next(); i < end; i++, state++) {
      if (i > 0 && track.run[i - 1] === run && steps) state += steps[step++];
      track.run[i] = run;
      track.t[i] = times[state];
    }
  }
  for (const axis of ["x", "y", "z"]) if (packed[axis]) track[axis] = places(packed[axis], count, track.run);
  track.yaw = sums(packed.yaw, count, 1 / 256);
  [track.weapon, track.health, track.armor, track.state] = unpackChanges(packed.changes, count);
  return track;
}

/** Places along an axis: the first of a run as the difference to the place before, others to even motion. */
function places(text, count, run) {
  const out = numbers(text, count);
  for (let i = 0, now = 0, speed = 0; i < count; i++) {
    const first = i === 0 || run[i - 1] !== run[i];
    const moved = out[i] + (first ? 0 : speed);
    speed = first ? 0 : moved;
    out[i] = now += moved;
  }
  return out;
}

/** The values of each place, of those that changed. */
function unpackChanges(text, count) {
  const { next, done } = reader(text ?? "");
  const lists = Array.from({ length: 4 }, () => new Int16Array(count));
  const values = [0, 0, 0, 0];
  let at = 0;
  const fill = (end) => {
    for (let k = 0; k < lists.length; k++) lists[k].fill(values[k], at, end);
    at = end;
  };
  while (!done()) {
    fill(at + next());
    const key = next();
    values[key] = next();
  }
  fill(count);
  return lists;
}

/** What is no player: {kind, what, owner, from, to, t, x, y, z, end}, in seconds; end is the other end of a beam. */
function unpackThings(packed, times) {
  const things = [];
  const { next } = reader(packed.things ?? "");
  const high = packed.tracks.some((t) => t.z);
  let state = 0;
  for (let n = packed.thing_count ?? 0; n > 0; n--) {
    const thing = { kind: kinds[next()], what: packed.names[next()], owner: next() - 1 };
    state += next();
    thing.from = times[state];
    thing.to = times[state + next()];
    const at = [0, 0, 0];
    const place = () => {
      for (let a = 0; a < (high ? 3 : 2); a++) at[a] += next();
      return [...at];
    };
    thing.places = [place()];
    thing.t = [thing.from];
    if (thing.kind === "beam") thing.end = place();
    else {
      for (let knots = next(), then = state; knots > 0; knots--) {
        then += next();
        thing.t.push(times[then]);
        thing.places.push(place());
      }
    }
    things.push(thing);
  }
  return things;
}
