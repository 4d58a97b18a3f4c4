// Where what is known of a player's input comes from, in words.

export const kinds = { command: "own commands", view: "own view", seen: "seen by others" };
