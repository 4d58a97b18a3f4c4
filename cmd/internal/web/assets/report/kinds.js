// Where what is known of a player's input comes from, in words.

export const kinds = { command: "own commands", view: "own view", seen: "seen by others" };

/** Names a row by its player, and by the stream too where several streams show the same player. */
export function told(rows, plain, stream) {
  const times = new Map();
  for (const row of rows) times.set(plain(row), (times.get(plain(row)) ?? 0) + 1);
  return (row) => plain(row) + (times.get(plain(row)) > 1 ? ", stream " + stream(row) : "");
}
