// Races: every run with its checkpoints, the times over the session, and the best runs laid over each other. Below, the
// runs with a flag.

import { el } from "../dom.js";
import { clock, number } from "../format.js";
import { colour } from "../colour.js";
import { lineType, plot, tip } from "../plot.js";
import { csvMenu, table } from "../table.js";
import { share, timeAxis } from "./context.js";
import { moment, momentBox } from "./moment.js";
import { goesOn, unfold } from "./ways.js";

const most = 6; // runs that are laid over each other
const averaged = 0.5; // seconds of a mean speed
const labels = 10; // times along a way, at most

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
  const ways = byPlayer(events.filter((e) => e.event === "run" && e.course === "race"));
  const passed = byPlayer(events.filter((e) => e.event === "checkpoint"));
  const runs = events.filter((e) => e.event === "race_finish" && e.finish !== undefined).map((e) => {
    const from = e.t - e.finish;
    const way = ways.get(e.player)?.find((r) => Math.abs(r.t - e.t) < 0.5)?.run;
    const splits = (passed.get(e.player) ?? []).filter((c) => c.t > from - 0.3 && c.t <= e.t);
    return { e, from, way, splits };
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
  return el("article", { class: "card", id: "race" }, el("h3", { text: "Finished races" }), listed(ctx, runs, best[0].e.finish),
    teams.length ? el("p", {}, "Teams: " + teams.map((e) => e.info).join("; ") + ".") : null,
    runs.length > 1 ? times(ctx, runs) : null, overlaid(ctx, best));
}

function listed(ctx, runs, record) {
  const columns = [
    { key: "time", type: "string" }, { key: "name", type: "string" }, { key: "finish", type: "number", unit: "min:s", doc: "how long the race took" },
    { key: "behind", type: "number", unit: "s", doc: "more than the best run here" }, { key: "checkpoints", type: "string", doc: "time at each, and the difference to the player's best" },
    { key: "distance", type: "integer", unit: "units" }, { key: "speed", type: "integer", unit: "units/s" }, { key: "top_speed", type: "integer", unit: "units/s" },
  ];
  const splits = (r) => r.splits.map((c) => (c.split === undefined ? "?" : clock(c.split, 2)) + (c.diff === undefined ? "" : ` (${c.diff > 0 ? "+" : ""}${c.diff.toFixed(2)})`)).join(", ");
  const rows = runs.map((r) => [ctx.when(r.e.t), ctx.name(r.e.player), r.e.finish, r.e.finish - record, splits(r) || null, r.way?.distance ?? null, r.way?.speed ?? null, r.way?.top ?? null]);
  const kept = columns.map((_, i) => i).filter((i) => i < 4 || rows.some((row) => row[i] !== null));
  const who = new Map();
  const cells = rows.map((row, i) => { const cut = kept.map((k) => row[k]); who.set(cut, runs[i].e.player); return cut; });
  const heads = kept.map((k) => columns[k]);
  return el("div", {},
    table(heads, cells, {
      caption: "Who reached the finish", limit: 20, csv: { title: "finished races" },
      show: (v, c, row) => {
        if (c.key === "name") return ctx.chip(who.get(row));
        if (c.key === "finish" && v !== null) return clock(v, 3);
        if (c.key === "behind") return v > 0 ? "+" + number(v, 3) : "best";
        return undefined;
      },
    }));
}

/** The times of all runs over the session. */
function times(ctx, runs) {
  const box = momentBox();
  const players = [...new Set(runs.map((r) => r.e.player))];
  let record = Infinity;
  const line = [...runs].sort((a, b) => a.e.t - b.e.t).map((r) => { record = Math.min(record, r.e.finish); return [r.e.t, record]; });
  const figure = plot({
    title: "Times of the race", height: 260,
    note: "Each point is a finish; the dotted line is the best time so far. A click shows the record there.",
    option: () => ({
      legend: {}, grid: { left: 64, right: 16, top: 56, bottom: 44 },
      tooltip: { trigger: "item", formatter: (p) => tip(ctx.when(p.value[0]), [[p.seriesName, clock(p.value[1], 3)]]) },
      dataZoom: [{ type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", startValue: ctx.from, endValue: ctx.to }],
      xAxis: timeAxis(ctx), yAxis: { type: "value", name: "min:s", min: 0, axisLabel: { formatter: (v) => clock(v) } },
      series: [
        { name: "best so far", type: "line", step: "end", symbol: "none", color: colour("--ink-2"), lineStyle: { color: colour("--ink-2"), type: "dotted", width: 1.5 }, data: [...line, [ctx.length, record]] },
        ...players.map((p) => {
          const mark = p === undefined ? { colour: colour("--ink-2"), symbol: "circle" } : ctx.mark(p);
          return { name: ctx.name(p) || "somebody", type: "scatter", symbol: mark.symbol, symbolSize: 9, color: mark.colour, data: runs.filter((r) => r.e.player === p).map((r) => [r.e.t, r.e.finish, r.e.frame]) };
        }),
      ],
    }),
    on: { click: (p) => p.value?.[2] !== undefined && moment(ctx, box, p.value[0], p.value[2]) },
    columns: [{ key: "time", type: "number", unit: "s" }, { key: "name", type: "string" }, { key: "finish", type: "number", unit: "s" }],
    rows: () => runs.map((r) => [r.e.t, ctx.name(r.e.player), r.e.finish]),
  });
  figure.whenDrawn((chart) => share(ctx, chart, figure));
  return el("div", {}, figure, box);
}

/** The way of a run out of the tracks: [{t, x, y, speed}], t in seconds since its start. */
function wayOf(ctx, run) {
  const map = ctx.game.maps?.length ? ctx.game.maps.findLastIndex((m) => m.t <= run.e.t) : -1;
  const track = unfold((ctx.game.tracks ?? []).filter((t) => t.player === run.e.player), map, ctx.game.view === "side")[0];
  if (!track) return [];
  const way = [];
  for (let i = 0; i < track.t.length; i++) {
    const t = track.t[i] - run.from;
    if (t < -0.001 || t > run.e.finish + 0.02) continue;
    way.push({ t, x: track.x[i], y: track.y[i], z: track.z[i] ?? 0, on: i > 0 && goesOn(track, i) });
  }
  let first = 0;
  for (let i = 0, far = 0; i < way.length; i++) {
    const step = i ? Math.hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y, way[i].z - way[i - 1].z) : 0;
    if (i && !way[i].on) first = i;
    far += way[i].on ? step : 0;
    way[i].far = far;
    while (way[i].t - way[first].t > averaged && first < i - 1) first++;
    way[i].speed = i > first ? (way[i].far - way[first].far) / (way[i].t - way[first].t) : null;
  }
  return way;
}

/** The best run of each player: speed over the time since the start, and the ways over the map with times along them. */
function overlaid(ctx, best, what = "run", start = "the start") {
  const laid = best.slice(0, most).map((run) => ({ run, way: wayOf(ctx, run), mark: () => (run.e.player === undefined ? { colour: colour("--ink-2"), symbol: "circle", dash: [] } : ctx.mark(run.e.player)), name: (ctx.name(run.e.player) || "somebody") + ", " + clock(run.e.finish, 3) }))
    .filter((l) => l.way.length > 2);
  if (!laid.length) return null;
  const title = laid.length > 1 ? `best ${what}s, laid over each other` : `best ${what}`;
  const line = (l) => ({ name: l.name, type: "line", symbol: "none", color: l.mark().colour, lineStyle: { color: l.mark().colour, width: 2, type: lineType(l.mark()) } });
  const columns = [{ key: "name", type: "string" }, { key: "time", type: "number", unit: "s" }, { key: "x", type: "integer", unit: "units" }, { key: "y", type: "integer", unit: "units" }, { key: "speed", type: "number", unit: "units/s" }];
  const rows = () => laid.flatMap((l) => l.way.map((p) => [l.name, p.t, p.x, p.y, p.speed]));
  return [
    plot({
      title: "Speed over the " + title, height: 280,
      note: `Time counts from ${start} of each run; the speed is a mean of ${averaged} s.` + (laid.some((l) => l.run.splits.length) ? " Signs are checkpoints." : ""),
      option: () => ({
        legend: {}, grid: { left: 60, right: 16, top: 56, bottom: 44 },
        tooltip: { trigger: "axis", formatter: (list) => tip(clock(list[0].value[0], 2), list.map((p) => [p.seriesName, p.value[1] === null ? "" : number(p.value[1], 0) + " units/s"])) },
        xAxis: { type: "value", min: 0, max: Math.max(...laid.map((l) => l.run.e.finish)), name: `time since ${start}, min:s`, nameLocation: "middle", nameGap: 26, splitLine: { show: false }, axisLabel: { formatter: (t) => clock(t, 1) } },
        yAxis: { type: "value", name: "units/s", min: 0 },
        series: laid.map((l) => ({
          ...line(l), data: l.way.map((p) => [p.t, p.speed]),
          markPoint: { symbol: l.mark().symbol, symbolSize: 9, label: { show: false }, data: l.run.splits.filter((c) => c.split !== undefined).map((c) => ({ coord: [c.split, l.way.findLast((p) => p.t <= c.split)?.speed ?? 0] })) },
        })),
      }),
      columns, rows,
    }),
    mapped(ctx, laid, title, line, columns, rows, start),
  ];
}

const steps = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

function mapped(ctx, laid, title, line, columns, rows, start) {
  const all = laid.flatMap((l) => l.way);
  const span = (key) => all.reduce(([low, high], p) => [Math.min(low, p[key]), Math.max(high, p[key])], [Infinity, -Infinity]);
  const [x, y] = [span("x"), span("y")];
  const width = Math.min(900, globalThis.innerWidth - 60);
  const height = Math.min(560, Math.max(170, (width * (y[1] - y[0])) / Math.max(1, x[1] - x[0]))) + 90;
  const step = steps.find((s) => laid[0].run.e.finish / s <= labels) ?? 7200;
  const stops = (l) => {
    const list = [];
    for (let t = 0; t <= l.run.e.finish; t += step) {
      const p = l.way.find((p) => p.t >= t - 0.03);
      if (p && p.t - t < step / 2) list.push([p.x, p.y, t]);
    }
    return list;
  };
  const pad = Math.max(64, (x[1] - x[0]) * 0.04, (y[1] - y[0]) * 0.04);
  return plot({
    title: "Path of the " + title, height,
    note: `Points are where each player was every ${step} s after ${start}` + (laid.length > 1 ? "; the times are those of the fastest run" : "") + ". The map below shows everybody's paths.",
    option: () => ({
      legend: {}, grid: { left: 56, right: 24, top: 56, bottom: 40 },
      tooltip: { trigger: "item", formatter: (p) => (p.value?.length > 2 ? tip(clock(p.value[2], 1), [[p.seriesName, `${p.value[0]}, ${p.value[1]}`]]) : "") },
      xAxis: { type: "value", min: Math.floor(x[0] - pad), max: Math.ceil(x[1] + pad), name: "units", nameLocation: "middle", nameGap: 24, axisLabel: { showMinLabel: false, showMaxLabel: false } },
      yAxis: { type: "value", min: Math.floor(y[0] - pad), max: Math.ceil(y[1] + pad), inverse: ctx.game.view === "side", axisLabel: { showMinLabel: false, showMaxLabel: false } },
      series: laid.flatMap((l, i) => [
        { ...line(l), data: l.way.flatMap((p, n) => (n && !p.on ? [[null, null], [p.x, p.y]] : [[p.x, p.y]])) },
        {
          name: l.name, type: "scatter", symbol: l.mark().symbol, symbolSize: 8, color: l.mark().colour, data: stops(l),
          label: { show: i === 0, formatter: (p) => clock(p.value[2], step < 1 ? 1 : 0), position: "top", color: colour("--ink"), fontSize: 12 }, labelLayout: { hideOverlap: true },
        },
      ]),
    }),
    columns, rows,
  });
}

/** The captures of each flag that two players or more made, the best of each player, laid over each other. */
function laidCaptures(ctx, captures) {
  const flags = [...new Set(captures.map((e) => e.team))];
  return flags.flatMap((flag) => {
    const best = new Map();
    for (const e of captures.filter((e) => e.team === flag && e.player !== undefined)) {
      const known = best.get(e.player);
      if (!known || e.run.time < known.e.finish) best.set(e.player, { e: { ...e, finish: e.run.time }, from: e.t - e.run.time, splits: [] });
    }
    const runs = [...best.values()].sort((a, b) => a.e.finish - b.e.finish);
    return runs.length > 1 ? overlaid(ctx, runs, flag === undefined ? "flag run" : `${flag} flag run`, "the grab") ?? [] : [];
  });
}

/** The card of the runs with a flag; nothing where there are none. */
export function flagRuns(ctx) {
  const runs = (ctx.game?.events ?? []).filter((e) => e.event === "run" && e.course === "flag");
  if (!runs.length) return null;
  const columns = [
    { key: "time", type: "string" }, { key: "name", type: "string", name: "carrier" }, { key: "flag", type: "string" }, { key: "what", type: "string", name: "what became of it" },
    { key: "run_time", type: "number", unit: "min:s", name: "carried" }, { key: "distance", type: "integer", unit: "units" }, { key: "speed", type: "integer", unit: "units/s" }, { key: "top_speed", type: "integer", unit: "units/s" },
  ];
  const rows = runs.map((e) => [ctx.when(e.t), ctx.name(e.player) || null, e.team ?? null, e.what ?? null, e.run.time, e.run.distance ?? null, e.run.speed ?? null, e.run.top ?? null]);
  const who = new Map(rows.map((row, i) => [row, runs[i].player]));
  const captures = runs.filter((e) => e.what === "captured");
  const fastest = captures.reduce((a, b) => (a && a.run.time <= b.run.time ? a : b), null);
  return el("article", { class: "card", id: "flag-runs" }, el("h3", { text: "Runs with a flag" }),
    el("p", { class: "note" }, `${captures.length} of ${runs.length} ended with a capture` + (fastest ? `; the fastest took ${clock(fastest.run.time, 2)}${fastest.player === undefined ? "" : ", by " + ctx.name(fastest.player)}.` : ".") + " Distance and speed are of the time in which snapshots show the carrier."),
    el("div", { class: "behind-row" }, el("details", { class: "behind how" }, el("summary", { text: "All runs" }), table(columns, rows, {
      caption: "Runs with a flag", limit: 40,
      show: (v, c, row) => {
        if (c.key === "name" && who.get(row) !== undefined) return ctx.chip(who.get(row));
        if (c.key === "run_time" && v !== null) return clock(v, 2);
        return undefined;
      },
    })), csvMenu("runs with a flag", { title: "runs with a flag", columns, rows })), laidCaptures(ctx, captures));
}
