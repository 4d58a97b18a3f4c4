// The most unusual moments of each measure: where to look, with how the player compares with others.

import { el, replace } from "../dom.js";
import { number, upper, words } from "../format.js";
import { choice } from "../plot.js";
import { table, tableBehind } from "../table.js";
import { distinct, playerOf } from "./rownames.js";

const frameCell = 4; // of the rows that are shown
const most = 60; // moments in one table

/** A part of a class in words: "24 of 26 people (92 %)", "all 26 people". */
function share(percent, all, who) {
  const some = Math.round((percent * all) / 100);
  if (some === 0) return `none of ${all} ${who}`;
  return some === all ? `all ${all} ${who}` : `${some} of ${all} ${who} (${number(percent, 0)} %)`;
}

export function unusual(ctx) {
  const all = ctx.file.statistics.moments;
  if (!all?.rows.length) return [];
  const { columns, rows } = all;
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  const measures = [...new Set(rows.map((r) => r[at.measure]))];
  const place = el("div", {});
  const player = (r) => playerOf(ctx, at, r) + (r[at.bot] ? ", bot" : "");

  /** How the player's values compare with those of each class. */
  function compared(r) {
    const side = r[at.unusual] === "low" ? "lower" : "higher";
    return ["people", "bots", "clients"]
      .filter((c) => r[at[c]] !== null && r[at[c]] !== undefined)
      .map((c) => side + " than " + share(r[at[c + "_beyond"]], r[at[c]], c))
      .join(", ");
  }

  /** The time of the game leads to the second of the replay that its record is in. The viewer has links of its own. */
  const show = (v, c, row) => {
    if (ctx.show) return ctx.show(v, c);
    const second = c.key === "game_time" && v !== null ? ctx.secondOf(row[frameCell]) : null;
    return second === null ? undefined : ctx.secondLink(second, number(v, 3));
  };

  function draw(measure) {
    const mine = rows.filter((r) => r[at.measure] === measure);
    const low = mine[0][at.unusual] === "low";
    const list = [...mine].sort((a, b) => (low ? 1 : -1) * (a[at.value] - b[at.value])).slice(0, most);
    const shown = [
      { key: "player", type: "string" },
      { key: "value", type: "number", unit: mine[0][at.unit] ?? "" },
      { key: "rank", type: "string", name: "among his own", doc: columns[at.rank].doc },
      { key: "rank_all", type: "string", name: "among all", doc: columns[at.rank_all].doc },
      { key: "frame", type: "integer", name: ctx.file.recording ? "message" : "frame" },
      { key: "game_time", type: "number", unit: "s", name: "game time" },
      { key: "summary", type: "number", name: mine[0][at.summary] ?? "summary", doc: columns[at.summary].doc },
      { key: "compared", type: "string", name: "in comparable data that is" },
    ];
    const one = new Map();
    for (const r of mine) one.set(r[at.kind] + " " + r[at.stream] + " " + r[at.client_num], r);
    const label = distinct([...one.values()], player, (r) => r[at.stream]);
    const cells = list.map((r) => [
      label(r),
      r[at.value],
      number(r[at.rank], 0) + " of " + number(r[at.count], 0),
      number(r[at.rank_all], 0) + " of " + number(r[at.count] + r[at.count_others], 0),
      r[at.frame],
      r[at.game_time] / 1000,
      r[at.summary_value] ?? null,
      compared(r) || null,
    ]);
    const meaning = columns[at.measure].values?.[measure];
    replace(
      place,
      meaning ? el("p", { class: "note", text: `${upper(words(measure))}: ${meaning}.` }) : null,
      table(shown, cells, { caption: upper(words(measure)), limit: 10, show }),
    );
  }

  const first = ["shot_centre", "snap_gain", "turn_speed"].find((m) => measures.includes(m)) ?? measures[0];
  draw(first);
  return [
    el("h3", { text: "Unusual moments" }),
    el("p", {
      class: "note",
      text:
        "The most unusual moments of each measure, a second apart. They say where to look, not what a player did:" +
        " somebody is always the first. Players are compared with people in public demos, bots, and clients that " +
        "scripts played, and never with fewer than eight of them.",
    }),
    choice(
      "Measure",
      measures.map((m) => [m, words(m)]),
      first,
      draw,
    ),
    place,
    tableBehind("Unusual moments", columns, rows, { label: "All moments as a table" }),
  ];
}
