// Runs laid over each other: their speed over time, and their paths on the map.

import { clock, number } from "../format.js";
import { colour } from "../colour.js";
import { axisTip, lineType, plot, tip } from "../plot.js";
import { continuesAt, unfold } from "./paths.js";

const most = 6; // runs that are laid over each other
const averaged = 0.5; // seconds of a mean speed
const labels = 10; // times along a path, at most

/**
 * The best run of each player: speed over the time since the start, and the paths on the map with times along them.
 * best: [{e, from, splits}], the fastest first. what: the noun of a run. start: what a run begins with.
 * Without positions it returns null.
 */
export function overlaid(ctx, best, { what = "run", start = "the start" } = {}) {
  const laid = best
    .slice(0, most)
    .map((run) => ({
      run,
      path: pathOf(ctx, run),
      mark: () =>
        run.e.player === undefined ? { colour: colour("--ink-2"), symbol: "circle", dash: [] } : ctx.mark(run.e.player),
      name: (ctx.name(run.e.player) || "somebody") + ", " + clock(run.e.finish, 3),
    }))
    .filter((l) => l.path.length > 2);
  if (!laid.length) return null;
  const title = laid.length > 1 ? `best ${what}s, laid over each other` : `best ${what}`;
  const rows = () => laid.flatMap((l) => l.path.map((p) => [l.name, p.t, p.x, p.y, p.speed]));
  return [speedPlot(laid, { title, start, rows }), pathPlot(ctx, laid, { title, start, rows })];
}

/** The path of a run out of the tracks: [{t, x, y, speed}], t in seconds since its start. */
function pathOf(ctx, run) {
  const map = ctx.game.maps?.length ? ctx.game.maps.findLastIndex((m) => m.t <= run.e.t) : -1;
  const track = unfold(
    ctx.game.tracks.filter((t) => t.player === run.e.player),
    map,
    ctx.game.view === "side",
  )[0];
  if (!track) return [];
  const path = [];
  for (let i = 0; i < track.t.length; i++) {
    const t = track.t[i] - run.from;
    if (t < -0.001 || t > run.e.finish + 0.02) continue;
    path.push({ t, x: track.x[i], y: track.y[i], z: track.z[i] ?? 0, on: i > 0 && continuesAt(track, i) });
  }
  let first = 0;
  for (let i = 0, far = 0; i < path.length; i++) {
    const step = i ? Math.hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y, path[i].z - path[i - 1].z) : 0;
    if (i && !path[i].on) first = i;
    far += path[i].on ? step : 0;
    path[i].far = far;
    while (path[i].t - path[first].t > averaged && first < i - 1) first++;
    path[i].speed = i > first ? (path[i].far - path[first].far) / (path[i].t - path[first].t) : null;
  }
  return path;
}

const columns = [
  { key: "name", type: "string" },
  { key: "time", type: "number", unit: "s" },
  { key: "x", type: "integer", unit: "units" },
  { key: "y", type: "integer", unit: "units" },
  { key: "speed", type: "number", unit: "units/s" },
];

/** What both plots draw of a run: a line of the player's colour. */
function line(l) {
  const { colour: ink } = l.mark();
  return {
    name: l.name,
    type: "line",
    symbol: "none",
    color: ink,
    lineStyle: { color: ink, width: 2, type: lineType(l.mark()) },
  };
}

function speedPlot(laid, { title, start, rows }) {
  return plot({
    title: "Speed over the " + title,
    height: 280,
    note:
      `Time counts from ${start} of each run; the speed is a mean of ${averaged} s.` +
      (laid.some((l) => l.run.splits.length) ? " Signs are checkpoints." : ""),
    option: () => ({
      legend: {},
      grid: { left: 60, right: 16, top: 56, bottom: 44 },
      tooltip: axisTip(
        (t) => clock(t, 2),
        (v) => number(v, 0) + " units/s",
      ),
      xAxis: {
        type: "value",
        min: 0,
        max: Math.max(...laid.map((l) => l.run.e.finish)),
        name: `time since ${start}, min:s`,
        nameLocation: "middle",
        nameGap: 26,
        splitLine: { show: false },
        axisLabel: { formatter: (t) => clock(t, 1) },
      },
      yAxis: { type: "value", name: "units/s", min: 0 },
      series: laid.map((l) => ({
        ...line(l),
        data: l.path.map((p) => [p.t, p.speed]),
        markPoint: {
          symbol: l.mark().symbol,
          symbolSize: 9,
          label: { show: false },
          data: l.run.splits
            .filter((c) => c.split !== undefined)
            .map((c) => ({ coord: [c.split, l.path.findLast((p) => p.t <= c.split)?.speed ?? 0] })),
        },
      })),
    }),
    columns,
    rows,
  });
}

const steps = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** The runs from above, or from the side, with times along them. */
function pathPlot(ctx, laid, { title, start, rows }) {
  const all = laid.flatMap((l) => l.path);
  const span = (key) =>
    all.reduce(([low, high], p) => [Math.min(low, p[key]), Math.max(high, p[key])], [Infinity, -Infinity]);
  const [x, y] = [span("x"), span("y")];
  const width = Math.min(900, globalThis.innerWidth - 60);
  const height = Math.min(560, Math.max(170, (width * (y[1] - y[0])) / Math.max(1, x[1] - x[0]))) + 90;
  const step = steps.find((s) => laid[0].run.e.finish / s <= labels) ?? 7200;
  const stops = (l) => {
    const list = [];
    for (let t = 0; t <= l.run.e.finish; t += step) {
      const p = l.path.find((p) => p.t >= t - 0.03);
      if (p && p.t - t < step / 2) list.push([p.x, p.y, t]);
    }
    return list;
  };
  const pad = Math.max(64, (x[1] - x[0]) * 0.04, (y[1] - y[0]) * 0.04);
  return plot({
    title: "Path of the " + title,
    height,
    note:
      `Points are where each player was every ${step} s after ${start}` +
      (laid.length > 1 ? "; the times are those of the fastest run" : "") +
      ". The map below shows everybody's paths.",
    option: () => ({
      legend: {},
      grid: { left: 56, right: 24, top: 56, bottom: 40 },
      tooltip: {
        trigger: "item",
        formatter: (p) =>
          p.value?.length > 2 ? tip(clock(p.value[2], 1), [[p.seriesName, `${p.value[0]}, ${p.value[1]}`]]) : "",
      },
      xAxis: {
        type: "value",
        min: Math.floor(x[0] - pad),
        max: Math.ceil(x[1] + pad),
        name: "units",
        nameLocation: "middle",
        nameGap: 24,
        axisLabel: { showMinLabel: false, showMaxLabel: false },
      },
      yAxis: {
        type: "value",
        min: Math.floor(y[0] - pad),
        max: Math.ceil(y[1] + pad),
        inverse: ctx.game.view === "side",
        axisLabel: { showMinLabel: false, showMaxLabel: false },
      },
      series: laid.flatMap((l, i) => [
        {
          ...line(l),
          data: l.path.flatMap((p, n) =>
            n && !p.on
              ? [
                  [null, null],
                  [p.x, p.y],
                ]
              : [[p.x, p.y]],
          ),
        },
        {
          name: l.name,
          type: "scatter",
          symbol: l.mark().symbol,
          symbolSize: 8,
          color: l.mark().colour,
          data: stops(l),
          label: {
            show: i === 0,
            formatter: (p) => clock(p.value[2], step < 1 ? 1 : 0),
            position: "top",
            color: colour("--ink"),
            fontSize: 12,
          },
          labelLayout: { hideOverlap: true },
        },
      ]),
    }),
    columns,
    rows,
  });
}
