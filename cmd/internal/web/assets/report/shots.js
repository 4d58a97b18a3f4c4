// The shots of a match: what the shooter's screen showed, and what the server traced and answered.

import { el } from "../dom.js";
import { frame } from "../frame.js";
import { table } from "../table.js";

const called = { name: "shooter", player: "nearest player" };
const timed = new WeakMap(); // shots with their seconds, by game

/** The table of a match's shots, which leads to their records and to the replay; nothing where there are none. */
export function shots(ctx, m, title) {
  const { columns, rows, notes } = ctx.file.statistics.shots ?? { rows: [] };
  if (!rows.length) return null;
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  if (!timed.has(ctx.game))
    timed.set(
      ctx.game,
      rows.map((row) => ({ row, t: ctx.secondOf(row[at.frame]) })),
    );
  const mine = timed.get(ctx.game).filter(({ t }) => t !== null && m.course.from <= t && t <= m.course.to);
  if (!mine.length) return null;
  const shown = ["name", "weapon", "player", "screen", "traced", "traced_error", "result", "reason", "hits", "impact"];
  const heads = [
    { key: "second", type: "number", name: "time" },
    { key: "frame", type: "integer", name: ctx.file.recording ? "message" : "frame" },
    ...shown.map((key) => ({ ...columns[at[key]], name: called[key] })),
  ];
  const cells = mine.map(({ row, t }) => [t, row[at.frame], ...shown.map((key) => row[at[key]])]);
  const show = (v, c) => {
    if (c.key === "second") return ctx.secondLink(v);
    return c.key === "frame" ? frame(v, ctx.fileNumber) : undefined;
  };
  return [
    table(heads, cells, {
      caption: "Shots",
      limit: 10,
      show,
      csv: { title: "shots, " + title, columns, rows: mine.map(({ row }) => row) },
    }),
    el("p", {
      class: "note",
      text:
        "How far a shot passed beside the nearest player's box, in units, on the shooter's screen and against the " +
        "place that the server traced; below zero is through it, if no wall was before." +
        (notes ?? []).map((n) => ` (${n}.)`).join(""),
    }),
  ];
}
