// The lagometer: how messages travelled, for each session and direction.

import { button, el, visible, wire } from "../dom.js";
import { clock, number } from "../format.js";
import { clear, colour } from "../colour.js";
import { axisTip, plot } from "../plot.js";
import { tableBehind } from "../table.js";
import { share, timeAxis } from "./context.js";
import { moment, momentBox, onTime, pauseShades } from "./moment.js";

const atFirst = 4;

export function lagometer(ctx) {
  const courses = ctx.pictures.lagometer;
  if (!courses.length)
    return el("p", {
      class: "nothing",
      text: "No session: nothing here has messages that are numbered, or states of a game.",
    });
  const own = courses.filter((c) => !ctx.game?.server || !c.server || c.server === ctx.game.server);
  const order = [...(own.length ? own : courses)].sort((a, b) => total(b) - total(a));
  const box = el("div", {});
  const show = (list) => list.forEach((c) => box.append(one(ctx, c)));
  show(order.slice(0, atFirst));
  const rest = order.slice(atFirst);
  const more = rest.length
    ? button(`Show ${rest.length} more`, () => {
        show(rest);
        more.remove();
      })
    : null;
  const loss = ctx.file.statistics.loss;
  return [
    box,
    more,
    tableBehind("Sessions and directions", loss.columns, loss.rows, { label: "All sessions as a table" }),
  ];
}

// What the curves are.
const meaning = {
  interval: "The interval is the time between two snapshots.",
  resent: "Parts of messages are sent again where one was lost or came late.",
  trip: "The round trip is the time from the capture to the client and back.",
  base: "Base age: how old the snapshot is that a new one is encoded against. It grows with delay and loss.",
};

function total(c) {
  return c.messages.reduce((a, b) => a + b, 0);
}

/** How a course of messages is called: who sent them to whom, and from when if there are several. */
function titleOf(ctx, c) {
  const up = c.direction === "client_to_server";
  const client =
    c.player ||
    (ctx.file.recording ? "the client that recorded" : (up ? "The" : "the") + " client of stream " + c.stream);
  const same = (o) =>
    o.direction === c.direction && o.server === c.server && (o.player || o.stream) === (c.player || c.stream);
  const twice = ctx.pictures.lagometer.some((o) => o !== c && same(o));
  return (up ? `${client} to the server` : `Server to ${client}`) + (twice ? ", from " + clock(c.times[0]) : "");
}

/** In what the age of a base is counted. */
function ageUnit(ctx, c) {
  if (!ctx.game || c.server !== ctx.game.server) return "messages or ticks";
  return ctx.game.protocol === "teeworlds" ? "ticks" : "messages";
}

/** The plots of a course, one below the other: those that have values. Lines and bars are [name, values, ink]. */
function rowsOf(ctx, c) {
  const lost = [
    [ctx.file.recording ? "missing" : "lost before the capture", c.lost, "--team-red"],
    ["lost after the capture", c.lost_behind, "--series-5"],
  ];
  return [
    {
      key: "interval",
      name: "interval, ms",
      lines: [
        ["mean interval", c.interval, "--series-1"],
        ["longest interval", c.interval_max, "--series-2"],
      ],
      none: c.direction === "client_to_server",
    },
    {
      key: "loss",
      name: "lost, %",
      bars: lost.filter(([, values]) => some(values)).map(([name, values, ink]) => [name, shares(c, values), ink]),
      none: !some(c.lost) && !some(c.lost_behind),
    },
    {
      key: "resent",
      name: "parts sent again",
      whole: true,
      bars: [["sent again", c.resent, "--series-6"]],
      none: !some(c.resent),
    },
    {
      key: "trip",
      name: "round trip, ms",
      lines: [["round trip", c.round_trip, "--series-3"]],
      none: !some(c.round_trip),
    },
    {
      key: "base",
      name: "base age, " + ageUnit(ctx, c),
      lines: [["base age", c.base_age, "--series-4"]],
      none: !some(c.base_age),
    },
  ].filter((r) => !r.none && [...(r.lines ?? []), ...(r.bars ?? [])].some(([, values]) => some(values, true)));
}

const rowHeight = 100; // pixels

/** The figure of one session and direction. */
function one(ctx, c) {
  const title = titleOf(ctx, c);
  const rows = rowsOf(ctx, c);
  const words = el("p", {}, wire(c.words ?? ""));
  if (!rows.length)
    return el("figure", { class: "plot" }, el("figcaption", {}, el("span", { class: "title" }, wire(title))), words);
  const box = momentBox();
  const figure = plot({
    title: "How messages travelled: " + title,
    note: note(ctx, c, rows),
    height: 60 + rowHeight * rows.length,
    option: () => option(ctx, c, rows),
    columns,
    rows: () => cells(c),
    label: visible("How messages travelled: " + title + ". " + (c.words ?? "")),
  });
  figure.whenDrawn((chart) => {
    share(ctx, chart, figure);
    onTime(chart, (t) => {
      const i = c.times.findLastIndex((from) => from <= t);
      if (i >= 0) moment(ctx, box, c.times[i], c.frames[i] || undefined);
    });
  });
  figure.querySelector("figcaption").after(words);
  return el("div", {}, figure, box);
}

/** What is seen, in sentences. */
function note(ctx, c, rows) {
  return (
    (some(c.lost) || some(c.lost_behind) ? "Red shades are times of loss. " : "") +
    (ctx.game?.pauses?.length ? "Yellow shades are pauses. " : "") +
    "Where a line ends, nothing came. " +
    rows
      .map((r) => meaning[r.key])
      .filter(Boolean)
      .join(" ") +
    " A click shows the record there."
  );
}

function option(ctx, c, rows) {
  return {
    legend: {},
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    tooltip: axisTip(ctx.when),
    dataZoom: [
      {
        type: "inside",
        xAxisIndex: rows.map((_, i) => i),
        filterMode: "none",
        zoomOnMouseWheel: "ctrl",
        startValue: ctx.from,
        endValue: ctx.to,
      },
    ],
    grid: rows.map((_, i) => ({ left: 60, right: 16, top: 52 + rowHeight * i, height: rowHeight - 42 })),
    xAxis: rows.map((_, i) =>
      timeAxis(ctx, {
        gridIndex: i,
        containShape: false,
        name: "",
        axisLabel: { show: i === rows.length - 1, formatter: (t) => clock(t) },
      }),
    ),
    yAxis: rows.map((r, i) => ({
      type: "value",
      gridIndex: i,
      name: r.name,
      nameLocation: "end",
      nameGap: 10,
      splitNumber: 2,
      min: 0,
      minInterval: r.whole ? 1 : undefined,
      nameTextStyle: { align: "left", padding: [0, 0, 0, -44] },
    })),
    series: rows.flatMap((r, i) => [...lineSeries(ctx, c, r, i), ...barSeries(c, r, i)]),
  };
}

/** The lines of row i: the first one with the shades of loss and pauses behind it, others dotted. */
function lineSeries(ctx, c, row, i) {
  const shades = {
    silent: true,
    label: { show: i === 0, color: colour("--ink-2"), position: "insideTop" },
    data: [...lossShades(c, clear(colour("--team-red"), 0.14)), ...pauseShades(ctx, clear(colour("--series-5"), 0.25))],
  };
  return (row.lines ?? []).map(([name, values, ink], n) => ({
    name,
    type: "line",
    xAxisIndex: i,
    yAxisIndex: i,
    symbol: "none",
    connectNulls: false,
    color: colour(ink),
    lineStyle: n ? { width: 1, type: "dotted" } : { width: 1.5, type: "solid" },
    data: gaps(c, values),
    markArea: n ? undefined : shades,
  }));
}

function barSeries(c, row, i) {
  return (row.bars ?? []).map(([name, values, ink]) => ({
    name,
    type: "bar",
    stack: "loss",
    xAxisIndex: i,
    yAxisIndex: i,
    color: colour(ink),
    barMinWidth: 2,
    barMaxWidth: 8,
    data: c.times.map((t, n) => [t, values[n]]),
  }));
}

const columns = [
  { key: "time", type: "number", unit: "s" },
  { key: "frame", type: "integer", doc: "the first of this piece of time" },
  { key: "messages", type: "integer" },
  { key: "lost", type: "integer" },
  { key: "lost_behind", type: "integer" },
  { key: "resent", type: "integer" },
  { key: "interval", type: "number", unit: "ms" },
  { key: "interval_max", type: "number", unit: "ms" },
  { key: "base_age", type: "number" },
  { key: "round_trip", type: "number", unit: "ms" },
];

/** The table of a course. */
function cells(c) {
  const counted = (values, i) => (c.unnumbered ? null : values[i]);
  return c.times.map((t, i) => [
    t,
    c.frames[i] || null,
    c.messages[i],
    counted(c.lost, i),
    counted(c.lost_behind, i),
    c.resent[i],
    c.interval[i],
    c.interval_max[i],
    c.base_age[i],
    c.round_trip[i],
  ]);
}

/** Whether anything is known; without zeros, whether anything is above zero. */
function some(values, zeros) {
  return values.some((v) => v !== null && (zeros || v > 0));
}

/** What was lost, in percent of the messages, with two decimals. */
function shares(c, lost) {
  return c.times.map((_, i) =>
    lost[i] ? Number(number((lost[i] / (c.messages[i] + c.lost[i] || 1)) * 100, 2).replaceAll(",", "")) : 0,
  );
}

const mostShades = 400;

/** The pieces of time in which something was lost, those beside each other as one. */
function lossShades(c, ink) {
  const areas = [];
  c.times.forEach((t, i) => {
    if (!c.lost[i] && !c.lost_behind[i]) return;
    const last = areas[areas.length - 1];
    if (last && t - last[1].xAxis < 0.01) last[1].xAxis = t + c.step;
    else if (areas.length < mostShades) areas.push([{ xAxis: t, itemStyle: { color: ink } }, { xAxis: t + c.step }]);
  });
  return areas;
}

/** Whether nothing is known before and after a point, so that no line shows it. */
function alone(values, i, c) {
  const joined = (a, b) =>
    values[a] !== null &&
    values[a] !== undefined &&
    values[b] !== null &&
    values[b] !== undefined &&
    c.times[b] - c.times[a] <= 1.5 * c.step;
  return !joined(i - 1, i) && !joined(i, i + 1);
}

/** Points with a hole where nothing is known: a gap in the line, not a zero. */
function gaps(c, values) {
  const points = [];
  c.times.forEach((t, i) => {
    if (i && t - c.times[i - 1] > 1.5 * c.step) points.push([c.times[i - 1] + c.step, null]);
    points.push(alone(values, i, c) ? { value: [t, values[i]], symbol: "circle", symbolSize: 4 } : [t, values[i]]);
  });
  return points;
}
