// How rows about a player's input are named: by the player, and where the values come from.

import { visible } from "../dom.js";
import { withoutCodes } from "../colour.js";

/** The sources of input, in words. */
export const sources = { command: "own commands", view: "own view", seen: "seen by others" };

/**
 * The player of a row of the statistics input or moments, and the source of its values: "LabAlpha (own view)". at has
 * the index of each column.
 */
export function playerOf(ctx, at, row) {
  const kind = row[at.kind];
  const name = row[at.name]
    ? withoutCodes(String(row[at.name]))
    : (kind === "command" && ctx.client(row[at.stream])) ||
      (row[at.client_num] !== null ? "player " + row[at.client_num] : "stream " + row[at.stream]);
  return visible(name + " (" + sources[kind] + ")");
}

/** Names rows by name(row), and by the stream too where several streams show the same player. */
export function distinct(rows, name, stream) {
  const times = new Map();
  for (const row of rows) times.set(name(row), (times.get(name(row)) ?? 0) + 1);
  return (row) => name(row) + (times.get(name(row)) > 1 ? ", stream " + stream(row) : "");
}
