// Races: every run with its checkpoints, the times over the session, and the best runs laid over each other.

import { el } from "../dom.js";
import { clock, number } from "../format.js";
import { colour } from "../colour.js";
import { plot, tip } from "../plot.js";
import { table } from "../table.js";
import { share, timeAxis } from "./context.js";
import { moment, momentBox } from "./moment.js";
import { overlaid } from "./overlaid.js";

/** Events in lists by their player. */
function byPlayer(events) {
  const lists = new Map();
  for (const e of events) {
    if (!lists.has(e.player)) lists.set(e.player, []);
    lists.get(e.player).push(e);
  }
  return lists;
}

/** The finished runs, with what is known of each: the best of a player first. */
function finished(ctx) {
  const events = ctx.game?.events ?? [];
  const summaries = byPlayer(events.filter((e) => e.event === "run" && e.course === "race"));
  const passed = byPlayer(events.filter((e) => e.event === "checkpoint"));
  const runs = events
    .filter((e) => e.event === "race_finish" && e.finish !== undefined)
    .map((e) => {
      const from = e.t - e.finish;
      const path = summaries.get(e.player)?.find((r) => Math.abs(r.t - e.t) < 0.5)?.run;
      const splits = (passed.get(e.player) ?? []).filter((c) => c.t > from - 0.3 && c.t <= e.t);
      return { e, from, path, splits };
    });
  const best = new Map();
  for (const r of runs) {
    const known = best.get(r.e.player);
    if (!known || r.e.finish < known.e.finish) best.set(r.e.player, r);
  }
  return { runs, best: [...best.values()].sort((a, b) => a.e.finish - b.e.finish) };
}

/** The card of the races; nothing where nobody finished. */
export function races(ctx) {
  const { runs, best } = finished(ctx);
  if (!runs.length) return null;
  const teams = ctx.game.events.filter((e) => e.event === "team_finish");
  return el(
    "article",
    { class: "card", id: "race" },
    el("h3", { text: "Finished races" }),
    listed(ctx, runs, best[0].e.finish),
    teams.length ? el("p", {}, "Teams: " + teams.map((e) => e.info).join("; ") + ".") : null,
    runs.length > 1 ? times(ctx, runs) : null,
    overlaid(ctx, best),
  );
}

function listed(ctx, runs, record) {
  const columns = [
    { key: "time", type: "string" },
    { key: "name", type: "string" },
    { key: "finish", type: "number", unit: "min:s", doc: "how long the race took" },
    { key: "behind", type: "number", unit: "s", doc: "more than the best run here" },
    { key: "checkpoints", type: "string", doc: "time at each, and the difference to the player's best" },
    { key: "distance", type: "integer", unit: "units" },
    { key: "speed", type: "integer", unit: "units/s" },
    { key: "top_speed", type: "integer", unit: "units/s" },
  ];
  const splits = (r) =>
    r.splits
      .map(
        (c) =>
          (c.split === undefined ? "?" : clock(c.split, 2)) +
          (c.diff === undefined ? "" : ` (${c.diff > 0 ? "+" : ""}${c.diff.toFixed(2)})`),
      )
      .join(", ");
  const rows = runs.map((r) => [
    ctx.when(r.e.t),
    ctx.name(r.e.player),
    r.e.finish,
    r.e.finish - record,
    splits(r) || null,
    r.path?.distance ?? null,
    r.path?.speed ?? null,
    r.path?.top ?? null,
  ]);
  const kept = columns.map((_, i) => i).filter((i) => i < 4 || rows.some((row) => row[i] !== null));
  const who = new Map();
  const begins = new Map();
  const cells = rows.map((row, i) => {
    const cut = kept.map((k) => row[k]);
    who.set(cut, runs[i].e.player);
    begins.set(cut, runs[i].e.t - (runs[i].e.finish ?? 0));
    return cut;
  });
  const heads = kept.map((k) => columns[k]);
  return el(
    "div",
    {},
    table(heads, cells, {
      caption: "Who reached the finish",
      limit: 20,
      csv: { title: "finished races" },
      show: (v, c, row) => {
        if (c.key === "name") return ctx.chip(who.get(row));
        if (c.key === "time") return ctx.secondLink(begins.get(row), v);
        if (c.key === "finish" && v !== null) return clock(v, 3);
        if (c.key === "behind") return v > 0 ? "+" + number(v, 3) : "best";
        return undefined;
      },
    }),
  );
}

/** The times of all runs over the session. */
function times(ctx, runs) {
  const box = momentBox();
  const players = [...new Set(runs.map((r) => r.e.player))];
  let record = Infinity;
  const line = [...runs]
    .sort((a, b) => a.e.t - b.e.t)
    .map((r) => {
      record = Math.min(record, r.e.finish);
      return [r.e.t, record];
    });
  const figure = plot({
    title: "Times of the race",
    height: 260,
    note: "Each point is a finish; the dotted line is the best time so far. A click shows the record there.",
    option: () => ({
      legend: {},
      grid: { left: 64, right: 16, top: 56, bottom: 44 },
      tooltip: { trigger: "item", formatter: (p) => tip(ctx.when(p.value[0]), [[p.seriesName, clock(p.value[1], 3)]]) },
      dataZoom: [
        { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", startValue: ctx.from, endValue: ctx.to },
      ],
      xAxis: timeAxis(ctx),
      yAxis: { type: "value", name: "min:s", min: 0, axisLabel: { formatter: (v) => clock(v) } },
      series: [
        {
          name: "best so far",
          type: "line",
          step: "end",
          symbol: "none",
          color: colour("--ink-2"),
          lineStyle: { color: colour("--ink-2"), type: "dotted", width: 1.5 },
          data: [...line, [ctx.length, record]],
        },
        ...players.map((p) => {
          const mark = p === undefined ? { colour: colour("--ink-2"), symbol: "circle" } : ctx.mark(p);
          return {
            name: ctx.name(p) || "somebody",
            type: "scatter",
            symbol: mark.symbol,
            symbolSize: 9,
            color: mark.colour,
            data: runs.filter((r) => r.e.player === p).map((r) => [r.e.t, r.e.finish, r.e.frame]),
          };
        }),
      ],
    }),
    on: { click: (p) => p.value?.[2] !== undefined && moment(ctx, box, p.value[0], p.value[2]) },
    columns: [
      { key: "time", type: "number", unit: "s" },
      { key: "name", type: "string" },
      { key: "finish", type: "number", unit: "s" },
    ],
    rows: () => runs.map((r) => [r.e.t, ctx.name(r.e.player), r.e.finish]),
  });
  figure.whenDrawn((chart) => share(ctx, chart, figure));
  return el("div", {}, figure, box);
}
