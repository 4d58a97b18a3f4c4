// The plot of a field over time. Every point is a packet: choosing it shows the packet. A line in the plot is at the
// packet that is shown.

import { el, visible } from "../assets/dom.js";
import { number, plural } from "../assets/format.js";
import { colour, seriesColour } from "../assets/colour.js";
import { plot, tip } from "../assets/plot.js";
import { table } from "../assets/table.js";

let library = null;

/** Loads the library of plots, once. */
export function loadPlots() {
  library ??= new Promise((done, failed) => {
    const from = new URL("../libraries/echarts/echarts.min.js", import.meta.url);
    document.head.append(
      el("script", {
        src: from.href,
        onload: done,
        onerror: () => failed(new Error("the library of plots cannot be loaded")),
      }),
    );
  });
  return library;
}

const symbols = ["circle", "triangle", "rect", "diamond"];

/** The figure of an answer to "plot". goRow(row) shows a packet; now() is the row that is shown; height: in pixels. */
export function fieldPlot(answer, { files, players, goRow, now, height }) {
  const timed = answer.timed;
  const who = answer.series.map((s) => players.ofStream(s.file, s.stream));
  const mark = (s, i) =>
    who[i]
      ? {
          symbol:
            s.direction === "server_to_client"
              ? "empty" + who[i].look.symbol.replace(/^./, (c) => c.toUpperCase())
              : who[i].look.symbol,
          itemStyle: { color: who[i].look.colour },
        }
      : { symbol: symbols[Math.floor(i / 4) % 4], itemStyle: { color: seriesColour(i) } };
  const name = (s) =>
    [
      files.length > 1 ? files[s.file].name : null,
      who[answer.series.indexOf(s)]?.name,
      timed || s.stream > 0 ? `stream ${s.stream}` : null,
      (s.direction ?? "").replaceAll("_", " "),
    ]
      .filter(Boolean)
      .join(", ") || answer.field;
  const shown = answer.series.reduce((sum, s) => sum + s.points.length, 0);
  const notes = [
    answer.doc ? answer.doc + "." : null,
    plural(answer.points, "value") +
      (shown < answer.points ? `, of which ${number(shown)} are drawn: the highest and lowest of neighbours` : "") +
      ".",
    answer.left ? `${plural(answer.left, "conversation")} with fewer values left out: choose with a filter.` : null,
  ].filter(Boolean);
  const option = () => ({
    grid: { left: 64, right: 24, top: 60, bottom: height > 280 ? 64 : 40 },
    legend: { data: answer.series.map(name) },
    tooltip: {
      trigger: "item",
      formatter: (p) =>
        tip(name(answer.series[p.seriesIndex]), [
          [timed ? "time" : "message", timed ? p.value[0].toFixed(6) + " s" : p.value[0]],
          [answer.field.split(".").pop(), p.value[1]],
          ["frame", String(p.value[3])],
        ]),
    },
    xAxis: {
      type: "value",
      scale: true,
      name: timed ? "time since the first packet, s" : "message",
      nameLocation: "middle",
      nameGap: 26,
    },
    yAxis: {
      type: "value",
      scale: true,
      name: answer.field.split(".").pop() + (answer.unit ? ", " + answer.unit : ""),
    },
    dataZoom: [
      { type: "inside", filterMode: "none" },
      height > 280 ? { type: "slider", height: 18, bottom: 8, filterMode: "none", labelFormatter: "" } : null,
    ].filter(Boolean),
    series: answer.series.map((s, i) => ({
      name: name(s),
      type: "scatter",
      ...mark(s, i),
      symbolSize: s.points.length > 500 ? 4 : 6,
      data: s.points.map((p) => [p.at, p.value, p.row, p.frame]),
      cursor: "pointer",
      markLine: i === 0 ? nowLine(now(), timed) : undefined,
    })),
  });
  const columns = [
    { key: "frame", type: "integer" },
    { key: timed ? "time" : "message", type: "number", unit: timed ? "s" : undefined },
    { key: "value", type: "number", unit: answer.unit },
    { key: "conversation", type: "string" },
  ];
  const points = answer.series.flatMap((s) => s.points.map((p) => [p.frame, p.at, p.value, name(s), p.row]));
  const figure = plot({
    title: `${answer.field} ${timed ? "over time" : "by message"}`,
    note: notes.join(" "),
    height,
    label: `${answer.field}, ${plural(answer.points, "value")}`,
    nothing: shown ? undefined : answer.done ? "No packet has a number in this field." : "No number so far.",
    option,
    columns,
    rows: () => points.map((p) => p.slice(0, 4)),
    on: { click: (p) => p.value && goRow(p.value[2]) },
  });
  figure.follow = (row) =>
    figure.whenDrawn((chart) =>
      chart.setOption({
        series: [{ name: answer.series[0] && name(answer.series[0]), markLine: nowLine(row, timed) }],
      }),
    );
  if (shown) {
    const packets = el("details", { class: "behind" }, el("summary", { text: "Packets" }));
    packets.addEventListener("toggle", () => {
      if (packets.open && !packets.querySelector("table"))
        packets.append(table(columns, points, { caption: "A line leads to its packet", onRow: (p) => goRow(p[4]) }));
    });
    figure.append(packets);
  }
  return figure;
}

/** The packet that is shown, as a line across the plot. */
function nowLine(row, timed) {
  const at = row ? Number(timed ? row.time : row.number) : NaN;
  return {
    silent: true,
    symbol: "none",
    animation: false,
    label: { show: false },
    lineStyle: { color: colour("--ink-2"), type: "dashed" },
    data: Number.isFinite(at) ? [{ xAxis: at }] : [],
  };
}

/** The places of start and end among the columns of a statistic. */
function spanColumns(t) {
  return ["start", "end"].map((key) => t.columns.findIndex((c) => c.key === key));
}

/** Whether the rows of a statistic are spans of time, each of which begins where the one before it ends. */
export function ofSpans(t) {
  const [start, end] = spanColumns(t);
  return (
    start >= 0 &&
    end >= 0 &&
    t.rows.length > 1 &&
    t.rows.every((row, i) => i === 0 || row[start] === t.rows[i - 1][end])
  );
}

/**
 * Plots of a statistic whose rows are spans of time: its numbers one below the other. goTime(seconds) shows the first
 * packet of a span.
 */
export function spanPlots(t, goTime) {
  if (!ofSpans(t)) return [];
  const [start, end] = spanColumns(t);
  return t.columns.flatMap((column, c) => {
    if (
      c === start ||
      c === end ||
      (column.type !== "integer" && column.type !== "number") ||
      !t.rows.some((r) => r[c])
    )
      return [];
    const title = `${column.key.replaceAll("_", " ")} in ${t.rows[0][end] - t.rows[0][start]} s`;
    return plot({
      title: visible(title),
      note: column.doc,
      height: 180,
      option: () => ({
        grid: { left: 64, right: 16, top: 24, bottom: 40 },
        tooltip: {
          trigger: "axis",
          formatter: (p) =>
            tip(`${t.rows[p[0].dataIndex][start]} to ${t.rows[p[0].dataIndex][end]} s`, [
              [column.key.replaceAll("_", " "), p[0].value[1]],
            ]),
        },
        xAxis: { type: "value", name: "time since the first packet, s", nameLocation: "middle", nameGap: 24 },
        yAxis: { type: "value", name: column.unit ?? "" },
        series: [
          {
            type: "line",
            step: "end",
            showSymbol: t.rows.length < 200,
            symbolSize: 6,
            triggerLineEvent: true,
            data: t.rows.map((r) => [r[start], r[c]]),
          },
        ],
      }),
      on: { click: (p) => p.dataIndex !== undefined && goTime(t.rows[p.dataIndex][start]) },
    });
  });
}
