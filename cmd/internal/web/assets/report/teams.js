// Who was in which team when.

import { playerLook, sides } from "../colour.js";
import { before } from "./replaystate.js";

/**
 * How a player who changed his team looks in each of them: at(player, t). null: he looks as everywhere, since he has
 * changed no team, or is in none at that time. clear() forgets the colours.
 */
export function looksByTeam(game) {
  const stays = staysOf(game);
  const looks = new Map();
  return {
    at(player, t) {
      const mine = stays.get(player);
      const stay = mine?.list[before(mine.times, t)];
      if (!stay?.team) return null;
      if (!looks.has(stay)) looks.set(stay, playerLook(stay.team, stay.place));
      return looks.get(stay);
    },
    clear: () => looks.clear(),
  };
}

/**
 * In which team players were from which times on, of those whose team changed: a map of player to {times, list}, and
 * in the list {team, place}. team is null where he looks as on the whole page: while he is in the team that he has
 * there, or in none. In the other one his place is behind those of all who have it there.
 */
function staysOf(game) {
  const stays = new Map();
  const next = { red: 0, blue: 0 };
  for (const { team } of game.players) if (team) next[team]++;
  if (!next.red && !next.blue) return stays;
  const guests = new Map();
  const add = (player, from, word) => {
    let team = Object.hasOwn(sides, word) ? sides[word] : null;
    if (team === game.players[player].team) team = null;
    const key = player + " " + team;
    if (team && !guests.has(key)) guests.set(key, next[team]++);
    const { times, list } = stays.get(player);
    times.push(from);
    list.push({ team, place: guests.get(key) });
  };
  for (const e of game.events) {
    if (e.event !== "team" || e.player === undefined) continue;
    if (!stays.has(e.player)) {
      stays.set(e.player, { times: [], list: [] });
      add(e.player, -Infinity, e.old_team);
    }
    add(e.player, e.t, e.team);
  }
  return stays;
}
