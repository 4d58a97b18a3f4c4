// The places of a replay as a table.

import { columns } from "./mapscene.js";
import { before } from "./replaystate.js";

/** The heads of the rows. */
export const placeColumns = [
  ...columns,
  { key: "yaw", type: "integer", unit: "°" },
  { key: "weapon", type: "string" },
  { key: "health", type: "integer" },
  { key: "armor", type: "integer" },
];

/** The places in the window of time, as rows of the table. */
export function placeRows({ ctx, replay }) {
  const rows = [];
  for (const track of replay.tracks) {
    const { client } = ctx.game.players[track.player];
    for (let i = before(track.t, ctx.from) + 1; i < track.count && track.t[i] <= ctx.to; i++) {
      const known = (v) => (v < 0 ? null : v);
      const place = [track.x[i], track.y[i], track.z?.[i] ?? null, Math.round(track.yaw[i] * 360) % 360];
      const has = [replay.names[track.weapon[i]] || null, known(track.health[i]), known(track.armor[i])];
      rows.push([Math.round(track.t[i] * 1000) / 1000, client, ctx.name(track.player), ...place, ...has]);
    }
  }
  return rows;
}
