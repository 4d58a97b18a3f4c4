// Where the bits go: by field, and over time.

import { button, el, replace, visible } from "../dom.js";
import { filtered } from "../frame.js";
import { number } from "../format.js";
import { colour, seriesColour } from "../colour.js";
import { axisTip, labelSpace, plot, tip } from "../plot.js";
import { tableBehind } from "../table.js";
import { share, timeAxis } from "./context.js";
import { moment, momentBox, onTime } from "./moment.js";

export function bits(ctx) {
  return [
    ...[rate(ctx)].flat(),
    ...fields(ctx),
    tableBehind(
      "Protocols, messages and operations",
      ctx.file.statistics.proto.columns,
      ctx.file.statistics.proto.rows,
      { label: "Protocols, messages and operations as a table" },
    ),
  ];
}

const ways = { client_to_server: "to the server", server_to_client: "to the client" };

function rate(ctx) {
  const { step, series } = ctx.pictures.rate;
  const all = series.filter((s) => s.bytes.length);
  const title = "Bytes a second";
  if (!all.length)
    return plot({
      title,
      nothing: ctx.file.game_datagrams
        ? "No packet has a time, and no message has the game's clock."
        : "No datagram of a game was read.",
    });
  const names = new Set(all.map((s) => s.protocol));
  const label = (s) => (names.size > 1 ? s.protocol + ", " : "") + (ways[s.direction] ?? "direction not known");
  const figure = plot({
    title,
    note:
      (ctx.file.recording ? "The messages in the demo." : "UDP payload, without the headers of IP and below.") +
      " A click shows the record there.",
    height: 250,
    option: () => ({
      legend: {},
      tooltip: axisTip(ctx.when),
      dataZoom: [
        { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", startValue: ctx.from, endValue: ctx.to },
      ],
      xAxis: timeAxis(ctx),
      yAxis: {
        type: "value",
        name: "bytes/s",
        axisLabel: { formatter: (v) => (v >= 1000 ? number(v / 1000, 1) + "k" : v) },
      },
      series: all.map((s, i) => ({
        name: label(s),
        type: "line",
        symbol: "none",
        color: seriesColour(i),
        lineStyle: { width: 1.5, type: s.direction === "client_to_server" ? "dashed" : "solid" },
        data: s.bytes.map((b, n) => [n * step, Math.round(b / step)]),
      })),
    }),
    columns: [
      { key: "time", type: "number", unit: "s" },
      { key: "protocol", type: "string" },
      { key: "direction", type: "string" },
      { key: "bytes", type: "integer" },
      { key: "packets", type: "integer" },
    ],
    rows: () => all.flatMap((s) => s.bytes.map((b, n) => [n * step, s.protocol, s.direction ?? null, b, s.packets[n]])),
  });
  const box = momentBox();
  figure.whenDrawn((chart) => {
    share(ctx, chart, figure);
    onTime(chart, (t) => moment(ctx, box, t, ctx.frameAt(t)));
  });
  return [figure, box];
}

function fields(ctx) {
  const { columns, rows } = ctx.file.statistics.fields;
  if (!rows.length) return [plot({ title: "Bits by field", nothing: "No field was decoded." })];
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  const tree = grow(rows.map((r) => [r[at.field].split("."), r[at.bits]]));
  const most = [...rows].sort((a, b) => b[at.bits] - a[at.bits]).slice(0, 15);
  const records = momentBox();
  return [
    plot({
      title: "Bits by message and field",
      height: 380,
      note:
        "The area is the number of bits, protocol by protocol, message by message. A click goes in, the line " +
        "below goes back. (own bits) are those of a structure beside its fields, such as which of them changed.",
      option: () => treeOption(tree),
      columns,
      rows,
    }),
    plot({
      title: "The fields with the most bits",
      height: 60 + 24 * most.length,
      note: "A click shows how to list the records with the field.",
      option: () => mostOption(most, at),
      on: { click: (p) => p.data?.row && recordsWith(ctx, records, p.data.row[at.field]) },
      columns,
      rows,
    }),
    records,
  ];
}

/** Nested areas of the bits of messages and fields. */
function treeOption(tree) {
  const path = (p) =>
    p.treePathInfo
      .map((n) => n.name)
      .filter(Boolean)
      .join(".");
  const share = (p) => {
    const all = p.treePathInfo[0].value;
    return all ? number((p.value / all) * 100, 2) + " %" : "";
  };
  return {
    tooltip: {
      formatter: (p) =>
        tip(path(p), [
          ["bits", p.value],
          ["share", share(p)],
        ]),
    },
    series: [
      {
        type: "treemap",
        name: "bits",
        data: tree,
        roam: false,
        nodeClick: "zoomToNode",
        leafDepth: 99,
        left: 0,
        right: 0,
        top: 4,
        bottom: 32,
        label: {
          show: true,
          formatter: (p) => p.name,
          fontSize: 12,
          color: "#ffffff",
          textBorderColor: "#000000",
          textBorderWidth: 2,
        },
        upperLabel: { show: true, height: 20, color: colour("--ink") },
        itemStyle: { borderColor: colour("--paper"), gapWidth: 1 },
        breadcrumb: {
          itemStyle: {
            color: colour("--paper-2"),
            borderColor: colour("--line"),
            textStyle: { color: colour("--ink") },
          },
        },
        visibleMin: 120,
        levels: [
          { itemStyle: { gapWidth: 3, borderWidth: 0 }, upperLabel: { show: false } },
          ...[1, 2, 3, 4, 5].map((depth) => ({
            color: depth < 4 ? Array.from({ length: 16 }, (_, i) => seriesColour(i)) : undefined,
            colorAlpha: [0.55, 1],
            itemStyle: {
              gapWidth: 1,
              borderWidth: depth < 3 ? 3 : 1,
              borderColor: colour(depth % 2 ? "--paper-2" : "--line"),
            },
          })),
        ],
      },
    ],
  };
}

/** A bar for each of some rows; at has the index of each column. */
function mostOption(rows, at) {
  const names = rows.map((r) => visible(r[at.field].split(".").slice(-2).join(".")));
  const short = (v) => (v >= 1e6 ? number(v / 1e6, 1) + "M" : v >= 1000 ? number(v / 1000, 1) + "k" : v);
  return {
    grid: { left: labelSpace(names), right: 60, top: 8, bottom: 44 },
    tooltip: {
      trigger: "item",
      formatter: ({ data: { row } }) =>
        tip(row[at.field], [
          ["bits", row[at.bits]],
          ["times", row[at.count]],
          ["share", number(row[at.share], 2) + " %"],
        ]),
    },
    xAxis: { type: "value", name: "bits", nameLocation: "middle", nameGap: 26, axisLabel: { formatter: short } },
    yAxis: {
      type: "category",
      inverse: true,
      data: names,
      axisLabel: { width: labelSpace(names) - 12, overflow: "truncate" },
    },
    series: [
      {
        type: "bar",
        color: seriesColour(0),
        data: rows.map((row) => ({ value: row[at.bits], row })),
        label: {
          show: true,
          position: "right",
          formatter: (p) => number(p.data.row[at.share], 1) + " %",
          color: colour("--ink-2"),
        },
      },
    ],
  };
}

/** How to see the records that have a field. */
function recordsWith(ctx, box, path) {
  const name = visible(ctx.file.name.replace(/^.*\//, ""));
  replace(
    box,
    el("h3", { text: visible(path) }),
    el(
      "p",
      { class: "note" },
      "The records with it: ",
      el("code", { text: `q3dissect -Y ${path} ${name}` }),
      ", in the viewer ",
      filtered(path, ctx.fileNumber),
      ".",
    ),
    button("Close", () => replace(box), { class: "small" }),
  );
}

/** A tree of paths with sizes, for the treemap. What a container has beside its parts is called (own bits). */
function grow(list) {
  const root = { children: new Map() };
  for (const [path, size] of list) {
    let node = root;
    for (const word of path) {
      if (!node.children.has(word)) node.children.set(word, { name: word, size: 0, children: new Map() });
      node = node.children.get(word);
    }
    node.size += size;
  }
  const flat = (node) =>
    [...node.children.values()].map((n) => {
      const children = flat(n);
      if (!children.length) return { name: n.name, value: n.size };
      if (children.length === 1 && !n.size) return { ...children[0], name: n.name + "." + children[0].name };
      if (n.size) children.push({ name: "(own bits)", value: n.size });
      return { name: n.name, value: children.reduce((a, c) => a + c.value, 0), children };
    });
  return flat(root);
}
