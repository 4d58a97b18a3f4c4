// The signs of events in the time line.

/**
 * Which events have which sign. lane is the player in whose lane a sign is, offset puts it above or below the middle,
 * in pixels.
 */
const signs = [
  {
    key: "kill",
    name: "kills",
    symbol: "triangle",
    size: 9,
    offset: [0, -9],
    of: (e) => e.event === "kill" && e.player !== undefined && !own(e),
    lane: (e) => e.player,
    ink: "--series-3",
  },
  {
    key: "death",
    name: "deaths",
    symbol: "path://M0,0 L10,0 L5,10 Z",
    size: 9,
    offset: [0, 9],
    of: (e) => e.event === "kill",
    lane: (e) => e.other,
    ink: "--team-red",
  },
  {
    key: "pickup",
    name: "items",
    symbol: "rect",
    size: 5,
    offset: [0, 0],
    of: (e) => e.event === "pickup",
    lane: (e) => e.player,
    ink: "--series-5",
  },
  {
    key: "flag",
    name: "flags",
    symbol: "path://M0,0 L10,4 L2,8 L2,14 L0,14 Z",
    size: [10, 14],
    offset: [0, 0],
    of: (e) => e.event === "flag",
    lane: (e) => e.player,
    ink: "--series-4",
  },
  {
    key: "chat",
    name: "chat",
    symbol: "circle",
    size: 6,
    offset: [0, 0],
    of: (e) => e.event === "chat",
    lane: (e) => e.player,
    ink: "--series-1",
  },
  {
    key: "finish",
    name: "finishes",
    symbol: "pin",
    size: 16,
    offset: [0, -6],
    of: (e) => e.event === "race_finish",
    lane: (e) => e.player,
    ink: "--series-2",
  },
  {
    key: "other",
    name: "other events",
    symbol: "diamond",
    size: 8,
    offset: [0, 0],
    of: (e) => !["kill", "pickup", "flag", "chat", "race_finish", "score"].includes(e.event),
    lane: (e) => e.player,
    ink: "--series-7",
  },
];

function own(e) {
  return e.player !== undefined && e.player === e.other;
}

/** The kinds of signs that there are, each with its events and their lanes. */
export function signsOf(events, { players, place }) {
  return signs
    .map((s) => ({
      ...s,
      events: events.filter(s.of).map((e) => ({ e, lane: place.get(s.lane(e)) ?? players.length })),
    }))
    .filter((s) => s.events.length);
}
