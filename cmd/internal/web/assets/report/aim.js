// Aiming: how fast views turn around shots, and how far they turned before each.

import { el, visible } from "../dom.js";
import { number } from "../format.js";
import { again, colour, playerLook } from "../colour.js";
import { axisTip, lineType, plot, tip } from "../plot.js";
import { share, timeAxis } from "./context.js";
import { distinct, sources } from "./rownames.js";
import { moment, momentBox } from "./moment.js";

const least = 5; // shots, from which a mean is shown
const most = 16; // players in one picture

export function aiming(ctx) {
  const all = (ctx.pictures.aim ?? [])
    .filter((a) => a.count >= least && (a.game === undefined || a.game === ctx.gameNumber))
    .sort((a, b) => b.count - a.count)
    .slice(0, most);
  if (!all.length)
    return [plot({ title: "Turning around shots", nothing: `Nobody whose view is known shot ${least} times.` })];
  const player = (a) =>
    visible((a.name || (a.client >= 0 ? "player " + a.client : "stream " + a.stream)) + " (" + sources[a.kind] + ")");
  const name = distinct(all, player, (a) => a.stream);
  const times = new Map(); // of each player, who may be shown by several streams
  const looks = all.map((a, i) => {
    const player = ctx.find(a.client >= 0 ? a.client : null, a.name);
    if (player === undefined) return () => playerLook("", i);
    const nth = times.get(player) ?? 0;
    times.set(player, nth + 1);
    return () => again(ctx.mark(player), nth);
  });
  return [speed(all, name, looks), before(ctx, all, name, looks)];
}

function speed(all, name, looks) {
  const at = (a, i) => -a.reach + (i + 0.5) * a.step;
  const shown = new Set(all.slice(0, 6).map(name));
  return plot({
    title: "How fast the view turns around shots",
    height: 320,
    note:
      "Mean speed of the crosshair before (left) and after (right) a shot; the dotted line is the player's mean " +
      "over the whole time.",
    option: () => ({
      legend: { selected: Object.fromEntries(all.map((a) => [name(a), shown.has(name(a))])) },
      grid: { left: 56, right: 16, top: 60, bottom: 44 },
      tooltip: axisTip(
        (t) => number(t, 1) + " ms from the shot",
        (v) => number(v, 0) + " deg/s",
      ),
      xAxis: {
        type: "value",
        min: -all[0].reach,
        max: all[0].reach,
        name: "ms from the shot",
        nameLocation: "middle",
        nameGap: 26,
        splitLine: { show: false },
      },
      yAxis: { type: "value", name: "deg/s", min: 0, axisLine: { onZero: false } },
      series: all.map((a, i) => ({
        name: name(a),
        type: "line",
        symbol: "none",
        connectNulls: false,
        color: looks[i]().colour,
        lineStyle: { width: 2, type: lineType(looks[i]()) },
        data: a.mean.map((v, n) => [at(a, n), v]),
        markLine: {
          silent: true,
          symbol: "none",
          label: { show: false },
          lineStyle: { color: looks[i]().colour, type: "dotted", opacity: 0.8 },
          data: [
            { yAxis: a.usual },
            ...(i ? [] : [{ xAxis: 0, lineStyle: { color: colour("--ink-2"), type: "solid" } }]),
          ],
        },
      })),
    }),
    columns: [
      { key: "name", type: "string" },
      { key: "shots", type: "integer" },
      { key: "offset", type: "number", unit: "ms" },
      { key: "turn_speed", type: "number", unit: "deg/s" },
    ],
    rows: () => all.flatMap((a) => a.mean.map((v, i) => [name(a), a.count, at(a, i), v])),
  });
}

function before(ctx, all, name, looks) {
  const box = momentBox();
  const figure = plot({
    title: "How far the view turned in the 100 ms before each shot",
    height: 280,
    note: "Each point is a shot; a click shows its record.",
    option: () => ({
      legend: {},
      grid: { left: 56, right: 16, top: 60, bottom: 44 },
      tooltip: {
        trigger: "item",
        formatter: (p) =>
          tip(ctx.when(p.value[0]), [
            [p.seriesName, number(p.value[1], 1) + " degrees"],
            [ctx.file.recording ? "message" : "frame", p.value[2]],
          ]),
      },
      dataZoom: [
        { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", startValue: ctx.from, endValue: ctx.to },
      ],
      xAxis: timeAxis(ctx),
      yAxis: { type: "value", name: "degrees", min: 0 },
      series: all.map((a, i) => ({
        name: name(a),
        type: "scatter",
        symbol: looks[i]().symbol,
        symbolSize: 5,
        color: looks[i]().colour,
        data: a.times.map((t, n) => [t, a.turns[n], a.frames[n]]),
      })),
    }),
    on: { click: (p) => p.value && moment(ctx, box, p.value[0], p.value[2]) },
    columns: [
      { key: "time", type: "number", unit: "s" },
      { key: "frame", type: "integer" },
      { key: "name", type: "string" },
      { key: "turn", type: "number", unit: "deg" },
    ],
    rows: () =>
      all.flatMap((a) => a.times.map((t, i) => [t, a.frames[i], name(a), a.turns[i]])).sort((a, b) => a[0] - b[0]),
  });
  figure.whenDrawn((chart) => share(ctx, chart, figure));
  return el("div", {}, figure, box);
}
