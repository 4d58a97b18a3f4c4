// Captures of one path: what was lost between two places, and how long the rest took.

import { el, visible, wire } from "../dom.js";
import { clock } from "../format.js";
import { seriesColour, colour } from "../colour.js";
import { plot, tip } from "../plot.js";

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
  const title = `Delay from ${p.between[0]} to ${p.between[1]}: ${from} to ${to}`;
  const points = (values) => p.times.map((t, i) => [t, values[i]]);
  const axis = (i) => ({
    type: "value",
    gridIndex: i,
    min: 0,
    containShape: false,
    axisLabel: { show: i === 1, formatter: (t) => clock(t) },
  });
  return plot({
    title,
    height: 320,
    note:
      p.words.join(" ") +
      ` A point covers ${p.seconds === 1 ? "a second" : p.seconds + " seconds"}, by the time of sending; ` +
      "times count from the first datagram of this direction.",
    nothing: p.times.length ? undefined : "Nothing was sent while both captures ran.",
    option: () => ({
      legend: {},
      axisPointer: { link: [{ xAxisIndex: "all" }] },
      tooltip: {
        trigger: "axis",
        formatter: (l) =>
          tip(
            clock(l[0].value[0]),
            l.map((x) => [x.seriesName, x.value[1]]),
          ),
      },
      dataZoom: [{ type: "inside", xAxisIndex: [0, 1], filterMode: "none", zoomOnMouseWheel: "ctrl" }],
      grid: [
        { left: 60, right: 16, top: 52, height: 130 },
        { left: 60, right: 16, top: 226, height: 54 },
      ],
      xAxis: [axis(0), axis(1)],
      yAxis: [
        {
          type: "value",
          gridIndex: 0,
          name: "delay, ms",
          nameLocation: "end",
          nameGap: 10,
          min: 0,
          nameTextStyle: { align: "left", padding: [0, 0, 0, -44] },
        },
        {
          type: "value",
          gridIndex: 1,
          name: "lost",
          nameLocation: "end",
          nameGap: 10,
          min: 0,
          minInterval: 1,
          splitNumber: 2,
          nameTextStyle: { align: "left", padding: [0, 0, 0, -44] },
        },
      ],
      series: [
        ["shortest", p.delay_min, 2],
        ["median", p.delay_median, 0],
        ["longest", p.delay_max, 1],
      ]
        .map(([name, values, ink]) => ({
          type: "line",
          name,
          xAxisIndex: 0,
          yAxisIndex: 0,
          color: seriesColour(ink),
          showSymbol: p.times.length < 60,
          symbolSize: 4,
          lineStyle: { width: 1.5 },
          data: points(values),
        }))
        .concat([
          {
            type: "bar",
            name: "lost",
            xAxisIndex: 1,
            yAxisIndex: 1,
            color: colour("--team-red"),
            barMaxWidth: 6,
            data: points(p.lost),
          },
        ]),
    }),
    columns: [
      { key: "time", type: "number", unit: "s" },
      { key: "sent", type: "integer" },
      { key: "lost", type: "integer" },
      { key: "reordered", type: "integer" },
      { key: "delay_min", type: "number", unit: "ms" },
      { key: "delay_median", type: "number", unit: "ms" },
      { key: "delay_max", type: "number", unit: "ms" },
    ],
    rows: () =>
      p.times.map((t, i) => [
        t,
        p.sent[i],
        p.lost[i],
        p.reordered[i],
        p.delay_min[i],
        p.delay_median[i],
        p.delay_max[i],
      ]),
  });
}
