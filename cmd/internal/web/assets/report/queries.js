// Queries outside of sessions, and remote control.

import { el, visible } from "../dom.js";
import { number, words } from "../format.js";
import { colour, seriesColour } from "../colour.js";
import { labelSpace, plot, tip } from "../plot.js";
import { table, tableBehind } from "../table.js";
import { share, timeAxis } from "./context.js";
import { moment, momentBox } from "./moment.js";

export function queries(ctx) {
  const { drdos, rcon, servers } = ctx.file.statistics;
  const parts = [];
  if (!drdos.rows.length && !rcon.rows.length) {
    parts.push(
      el("p", {
        class: "nothing",
        text: ctx.file.recording
          ? "A demo has no queries and no remote control in it."
          : "No queries and no remote control.",
      }),
    );
  }
  if (drdos.rows.length) parts.push(amplification(drdos), asked(drdos));
  if (rcon.rows.length) parts.push(...attempts(ctx, rcon));
  if (servers.rows.length)
    parts.push(
      tableBehind("What servers said of themselves", servers.columns, servers.rows, {
        label: "What servers said of themselves, as a table",
      }),
    );
  return parts;
}

function amplification({ columns, rows, notes }) {
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  const most = rows
    .filter((r) => r[at.answer_bytes] > 0)
    .sort((a, b) => b[at.answer_bytes] - a[at.answer_bytes])
    .slice(0, 20);
  const note =
    "Bytes of the queries of each source, and of the answers to it. Where a server sends many times what was " +
    "asked, the address may be forged, and its owner the target.";
  if (!most.length)
    return [
      plot({ title: "Queries by source", nothing: "Queries were asked, and none was answered." }),
      tableBehind("Queries by source", columns, rows),
    ];
  const again = (r) => most.some((o) => o !== r && o[at.source] === r[at.source]);
  const sources = most.map((r) => visible(again(r) ? r[at.source] + " to " + r[at.server] : r[at.source]));
  return plot({
    title: "Queries by source",
    note: [note, ...(notes ?? [])].join(" "),
    height: 70 + 26 * most.length,
    option: () => ({
      legend: {},
      grid: { left: labelSpace(sources), right: 64, top: 36, bottom: 44 },
      tooltip: {
        trigger: "item",
        formatter: (p) =>
          tip(
            most[p.dataIndex][at.source],
            ["server", "requests", "request_bytes", "answers", "answer_bytes", "amplification", "peak", "commands"].map(
              (k) => [words(k), most[p.dataIndex][at[k]]],
            ),
          ),
      },
      xAxis: { type: "value", name: "bytes", nameLocation: "middle", nameGap: 26 },
      yAxis: {
        type: "category",
        inverse: true,
        data: sources,
        axisLabel: { width: labelSpace(sources) - 12, overflow: "truncate" },
      },
      series: [
        { type: "bar", name: "asked", color: seriesColour(0), data: most.map((r) => r[at.request_bytes]) },
        {
          type: "bar",
          name: "answered",
          color: seriesColour(1),
          data: most.map((r) => r[at.answer_bytes]),
          label: {
            show: true,
            position: "right",
            color: colour("--ink-2"),
            formatter: (p) =>
              most[p.dataIndex][at.amplification] ? number(most[p.dataIndex][at.amplification], 1) + "×" : "",
          },
        },
      ],
    }),
    columns,
    rows,
  });
}

/** Who asked, what that looks like and why, and what can be done. */
function asked({ columns, rows }) {
  const keys = ["source", "server", "verdict", "requests", "answers", "dropped", "peak", "reasons", "suggestion"];
  const order = keys.map((key) => columns.findIndex((c) => c.key === key)).filter((i) => i >= 0);
  return table(
    order.map((i) => columns[i]),
    rows.map((row) => order.map((i) => row[i])),
    {
      caption: "Who asked, and what that looks like",
      limit: 20,
      csv: { title: "queries", columns, rows },
      show: (v, c) =>
        c.key === "suggestion" && v
          ? el("code", { text: visible(v) })
          : c.key === "verdict" && v === victim
            ? el("strong", { text: v })
            : undefined,
    },
  );
}

const victim = "reflection victim";

function attempts(ctx, { columns, rows }) {
  const marks = [
    ["rcon", "commands", "--series-1", "circle"],
    ["rcon_denied", "refused", "--team-red", "diamond"],
    ["rcon_granted", "let in", "--series-3", "triangle"],
  ];
  const servers = ctx.pictures.games.filter((g) => g.events.some((e) => e.event.startsWith("rcon")));
  const parts = [];
  const names = servers.map((g) => visible(g.server ?? "recording"));
  if (servers.length) {
    const box = momentBox();
    const figure = plot({
      title: "Remote control (rcon) over time, by server",
      note: "A click shows the record.",
      height: 110 + 30 * servers.length,
      option: () => ({
        legend: {},
        grid: { left: labelSpace(names), right: 16, top: 44, bottom: 48 },
        tooltip: {
          trigger: "item",
          formatter: (p) =>
            tip(ctx.when(p.value[0]), [
              ["server", servers[p.value[1]].server],
              ["", p.data.info],
              ["frame", p.data.frame],
            ]),
        },
        dataZoom: [
          { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", startValue: ctx.from, endValue: ctx.to },
        ],
        xAxis: timeAxis(ctx),
        yAxis: { type: "category", data: names, axisLabel: { width: labelSpace(names) - 12, overflow: "truncate" } },
        series: marks
          .filter(([kind]) => servers.some((g) => g.events.some((e) => e.event === kind)))
          .map(([kind, name, ink, symbol], i) => ({
            name,
            type: "scatter",
            symbol,
            symbolSize: 9,
            symbolOffset: [0, (i - 1) * 6],
            color: colour(ink),
            data: servers.flatMap((g, n) =>
              g.events.filter((e) => e.event === kind).map((e) => ({ value: [e.t, n], info: e.info, frame: e.frame })),
            ),
          })),
      }),
      on: { click: (p) => p.data?.frame !== undefined && moment(ctx, box, p.value[0], p.data.frame) },
      columns: [
        { key: "time", type: "number", unit: "s" },
        { key: "frame", type: "integer" },
        { key: "server", type: "string" },
        { key: "event", type: "string" },
        { key: "info", type: "string" },
      ],
      rows: () =>
        servers.flatMap((g) =>
          g.events
            .filter((e) => e.event.startsWith("rcon"))
            .map((e) => [e.t, e.frame, g.server ?? null, e.event, e.info ?? null]),
        ),
    });
    figure.whenDrawn((chart) => share(ctx, chart, figure));
    parts.push(figure, box);
  }
  parts.push(
    ctx.doc.secrets
      ? null
      : el("p", {
          class: "note",
          text:
            "Passwords are shown as tags, eight digits that are the same wherever the password is; guesses are " +
            "how many different ones were tried.",
        }),
    table(columns, rows, {
      caption: "Remote control by server and source",
      limit: 30,
      csv: { title: "remote control" },
    }),
  );
  return parts;
}
