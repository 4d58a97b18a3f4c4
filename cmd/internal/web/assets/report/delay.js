// Captures of one path: what was lost between two places, and how long the rest took.

import { el, visible, wire } from "../dom.js";
import { clock } from "../format.js";
import { seriesColour, colour } from "../colour.js";
import { axisTip, plot } from "../plot.js";

export function paths(ctx) {
  const list = ctx.doc.paths ?? [];
  if (!list.length) return el("p", { class: "nothing", text: "The captures have no conversation in common." });
  const parts = [];
  let before = "";
  for (const p of list) {
    const places = [...p.between].sort().join(" and ");
    if (places !== before) {
      const [near, far] = p.between[0] < p.between[1] ? [0, 1] : [1, 0];
      parts.push(
        el("h3", { text: `Between ${places}` }),
        el(
          "p",
          {},
          `${p.between[near]} is `,
          wire(p.files[near]),
          `, ${p.between[far]} is `,
          wire(p.files[far]),
          ". ",
          p.clock,
        ),
      );
      before = places;
    }
    parts.push(one(p));
  }
  return parts;
}

function one(p) {
  const up = p.direction === "client_to_server";
  const client = "client " + visible(p.client);
  const server = "server " + visible(p.server);
  const [from, to] = up ? [client, server] : [server, client];
  return plot({
    title: `Delay from ${p.between[0]} to ${p.between[1]}: ${from} to ${to}`,
    height: 320,
    note:
      p.words.join(" ") +
      ` A point covers ${p.seconds === 1 ? "a second" : p.seconds + " seconds"}, by the time of sending; ` +
      "times count from the first datagram of this direction.",
    nothing: p.times.length ? undefined : "Nothing was sent while both captures ran.",
    option: () => option(p),
    columns,
    rows: () => p.times.map((t, i) => [t, ...columns.slice(1).map((c) => p[c.key][i])]),
  });
}

const columns = [
  { key: "time", type: "number", unit: "s" },
  { key: "sent", type: "integer" },
  { key: "lost", type: "integer" },
  { key: "reordered", type: "integer" },
  { key: "delay_min", type: "number", unit: "ms" },
  { key: "delay_median", type: "number", unit: "ms" },
  { key: "delay_max", type: "number", unit: "ms" },
];

/** Two plots over one time: lines of the delay, bars of what was lost below them. */
function option(p) {
  const points = (values) => p.times.map((t, i) => [t, values[i]]);
  const timeAxis = (i) => ({
    type: "value",
    gridIndex: i,
    min: 0,
    containShape: false,
    axisLabel: { show: i === 1, formatter: (t) => clock(t) },
  });
  const valueAxis = (i, name, more) => ({
    type: "value",
    gridIndex: i,
    name,
    nameLocation: "end",
    nameGap: 10,
    min: 0,
    nameTextStyle: { align: "left", padding: [0, 0, 0, -44] },
    ...more,
  });
  const line = (name, values, ink) => ({
    type: "line",
    name,
    xAxisIndex: 0,
    yAxisIndex: 0,
    color: seriesColour(ink),
    showSymbol: p.times.length < 60,
    symbolSize: 4,
    lineStyle: { width: 1.5 },
    data: points(values),
  });
  const lost = {
    type: "bar",
    name: "lost",
    xAxisIndex: 1,
    yAxisIndex: 1,
    color: colour("--team-red"),
    barMaxWidth: 6,
    data: points(p.lost),
  };
  return {
    legend: {},
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    tooltip: axisTip(clock),
    dataZoom: [{ type: "inside", xAxisIndex: [0, 1], filterMode: "none", zoomOnMouseWheel: "ctrl" }],
    grid: [
      { left: 60, right: 16, top: 52, height: 130 },
      { left: 60, right: 16, top: 226, height: 54 },
    ],
    xAxis: [timeAxis(0), timeAxis(1)],
    yAxis: [valueAxis(0, "delay, ms"), valueAxis(1, "lost", { minInterval: 1, splitNumber: 2 })],
    series: [
      line("shortest", p.delay_min, 2),
      line("median", p.delay_median, 0),
      line("longest", p.delay_max, 1),
      lost,
    ],
  };
}
