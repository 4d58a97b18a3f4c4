// Runs with a flag: who carried it how far, and the fastest captures laid over each other.

import { el } from "../dom.js";
import { clock } from "../format.js";
import { csvMenu, table } from "../table.js";
import { overlaid } from "./overlaid.js";

/** The captures of each flag that two players or more made, the best of each player, laid over each other. */
function laidCaptures(ctx, captures) {
  const flags = [...new Set(captures.map((e) => e.team))];
  return flags.flatMap((flag) => {
    const best = new Map();
    for (const e of captures.filter((e) => e.team === flag && e.player !== undefined)) {
      const known = best.get(e.player);
      if (!known || e.run.time < known.e.finish)
        best.set(e.player, { e: { ...e, finish: e.run.time }, from: e.t - e.run.time, splits: [] });
    }
    const runs = [...best.values()].sort((a, b) => a.e.finish - b.e.finish);
    return runs.length > 1
      ? (overlaid(ctx, runs, { what: flag === undefined ? "flag run" : `${flag} flag run`, start: "the grab" }) ?? [])
      : [];
  });
}

/** The card of the runs with a flag; nothing where there are none. */
export function flagRuns(ctx) {
  const runs = (ctx.game?.events ?? []).filter((e) => e.event === "run" && e.course === "flag");
  if (!runs.length) return null;
  const columns = [
    { key: "time", type: "string" },
    { key: "name", type: "string", name: "carrier" },
    { key: "flag", type: "string" },
    { key: "what", type: "string", name: "what became of it" },
    { key: "run_time", type: "number", unit: "min:s", name: "carried" },
    { key: "distance", type: "integer", unit: "units" },
    { key: "speed", type: "integer", unit: "units/s" },
    { key: "top_speed", type: "integer", unit: "units/s" },
  ];
  const rows = runs.map((e) => [
    ctx.when(e.t),
    ctx.name(e.player) || null,
    e.team ?? null,
    e.what ?? null,
    e.run.time,
    e.run.distance ?? null,
    e.run.speed ?? null,
    e.run.top ?? null,
  ]);
  const who = new Map(rows.map((row, i) => [row, runs[i].player]));
  const begins = new Map(rows.map((row, i) => [row, runs[i].t - runs[i].run.time]));
  const captures = runs.filter((e) => e.what === "captured");
  const fastest = captures.reduce((a, b) => (a && a.run.time <= b.run.time ? a : b), null);
  return el(
    "article",
    { class: "card", id: "flag-runs" },
    el("h3", { text: "Runs with a flag" }),
    el(
      "p",
      { class: "note" },
      `${captures.length} of ${runs.length} ended with a capture` +
        (fastest
          ? `; the fastest took ${clock(fastest.run.time, 2)}` +
            (fastest.player === undefined ? "." : `, by ${ctx.name(fastest.player)}.`)
          : ".") +
        " Distance and speed are of the time in which snapshots show the carrier.",
    ),
    el(
      "div",
      { class: "behind-row" },
      el(
        "details",
        { class: "behind how" },
        el("summary", { text: "All runs" }),
        table(columns, rows, {
          caption: "Runs with a flag",
          limit: 40,
          show: (v, c, row) => {
            if (c.key === "name" && who.get(row) !== undefined) return ctx.chip(who.get(row));
            if (c.key === "time") return ctx.secondLink(begins.get(row), v);
            if (c.key === "run_time" && v !== null) return clock(v, 2);
            return undefined;
          },
        }),
      ),
      csvMenu("runs with a flag", { title: "runs with a flag", columns, rows }),
    ),
    laidCaptures(ctx, captures),
  );
}
