// Input: distributions of what players do, one beside the other. Data, no verdicts.

import { el, replace } from "../dom.js";
import { upper, words } from "../format.js";
import { colour, withoutCodes } from "../colour.js";
import { choice, labelSpace, plot, tip } from "../plot.js";
import { tableBehind } from "../table.js";
import { aiming } from "./aim.js";
import { unusual } from "./moments.js";
import { distinct, playerOf } from "./rownames.js";

const most = 40; // players in one picture

const notes = {
  command_interval: "Time between two commands, by the game's clock as the client has it.",
  packet_interval: "Time between two datagrams with new commands, by the clock of the capture.",
  packet_commands: "New commands in a datagram.",
  clock_rate: "Speed of the client's clock relative to the capture's: 100 is right.",
  turn_speed: "How fast the crosshair turns.",
  turn_acceleration: "How fast that changes.",
  attack_turn:
    "How far the crosshair turned in the 100 ms before the attack button went down. A flick has a large one, " +
    "and so has a snap to a target.",
  attack_time: "How long the attack button was held.",
  attack_interval: "Time between two presses of the attack button.",
  shots: "Shots, by the game's events.",
  hits: "Hits, by the counter that makes the sound of a hit.",
  shot_interval: "Time between two snapshots with shots.",
  shot_turn: "How far the crosshair turned in the 100 ms before a shot.",
  off_target: "Angle between the crosshair and the middle of the nearest other player, walls or not.",
  shot_off_target: "The same at the moment of a shot.",
  ground_speed: "Speed over ground.",
};

export function inputs(ctx) {
  const { columns, rows } = ctx.file.statistics.input;
  const warning = el(
    "p",
    { class: "verdict" },
    el("strong", { text: "Data, not a verdict." }),
    " What is unusual depends on the game, the weapon and the player's settings. Compare players of the same " +
      "match. Own commands: what the client sent. Own view: what snapshots show of the viewed player. Seen by " +
      "others: what they show of everybody else, in coarser steps.",
  );
  if (!rows.length) {
    const text =
      "No input: no commands of clients and no views in snapshots were decoded, or the game has none that are known.";
    return [warning, el("p", { class: "nothing", text })];
  }
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  const measures = [...new Set(rows.map((r) => r[at.measure]))];
  const picture = el("div", {});
  const draw = (measure) => {
    const all = rows.filter((r) => r[at.measure] === measure);
    replace(picture, measurePlot(ctx, at, columns, all));
  };
  const first = ["turn_speed", "attack_turn", "command_interval"].find((m) => measures.includes(m)) ?? measures[0];
  draw(first);
  return [
    warning,
    choice(
      "Measure",
      measures.map((m) => [m, words(m)]),
      first,
      draw,
    ),
    picture,
    ...aiming(ctx),
    tableBehind("Input", columns, rows, { label: "All measures as a table" }),
    ...unusual(ctx),
  ];
}

/** The plot of a measure: rows are all that there are of it, one for each player and source. */
function measurePlot(ctx, at, columns, rows) {
  const measure = rows[0][at.measure];
  const unit = rows[0][at.unit] ?? "";
  const largest = rows.length <= most ? rows : [...rows].sort((a, b) => b[at.count] - a[at.count]).slice(0, most);
  const spread = largest.filter((r) => r[at.p50] !== null && r[at.p50] !== undefined);
  const shown = spread.length ? spread : largest;
  const name = distinct(
    largest,
    (r) => playerOf(ctx, at, r),
    (r) => r[at.stream],
  );
  const names = shown.map(name);
  const note = [
    notes[measure],
    rows.length > most ? `Those ${most} of ${rows.length} with the most values; the table has all.` : null,
    spread.length ? "Bar: 5th to 95th percentile. Dot: median. Small mark: 99th percentile." : null,
  ];
  return plot({
    title: upper(words(measure)) + (unit ? ", " + unit : ""),
    height: (spread.length ? 70 : 60) + laneHeight(names) * names.length,
    note: note.filter(Boolean).join(" "),
    option: () => {
      const lanes = { names, rows: shown.map((row) => ({ row, itemStyle: { color: ink(ctx, at, row) } })) };
      return spread.length ? spreadOption(lanes, at, unit) : countOption(lanes, at);
    },
    columns,
    rows,
  });
}

/** The colour of the player of a row. */
function ink(ctx, at, row) {
  const name = row[at.name] ? withoutCodes(String(row[at.name])) : ctx.client(row[at.stream]);
  const otherGame = ctx.game?.streams?.length && !ctx.game.streams.includes(row[at.stream]);
  if (otherGame || (row[at.client_num] === null && !name)) return colour("--ink-2");
  const player = ctx.find(row[at.client_num], name);
  return player === undefined ? colour("--ink-2") : ctx.colour(player);
}

/** How wide the names are, in pixels. */
function nameWidth(names) {
  return labelSpace(names) - 12;
}

/** How high a lane is, in pixels: every name has as many lines as it takes. */
function laneHeight(names) {
  const lines = names.map((name) => Math.ceil((6.6 * name.length) / (nameWidth(names) - 12)));
  return Math.max(28, 6 + 13 * Math.max(...lines));
}

function laneAxis(names) {
  return {
    type: "category",
    inverse: true,
    data: names,
    axisLabel: { width: nameWidth(names), overflow: "break", lineHeight: 13, interval: 0, hideOverlap: false },
  };
}

/** Bars of how many values there are, for what has no distribution. */
function countOption({ names, rows }, at) {
  return {
    grid: { left: labelSpace(names), right: 60, top: 8, bottom: 44 },
    xAxis: { type: "value", name: "count", nameLocation: "middle", nameGap: 26 },
    yAxis: laneAxis(names),
    series: [
      {
        type: "bar",
        data: rows.map(({ row, itemStyle }) => ({ value: row[at.count], itemStyle })),
        label: { show: true, position: "right" },
      },
    ],
  };
}

/** The distribution of each row: a bar, a dot and a mark. */
function spreadOption({ names, rows }, at, unit) {
  const shown = ["count", "mean", "min", "p5", "p50", "p95", "p99", "max"];
  return {
    grid: { left: labelSpace(names), right: 24, top: 8, bottom: 44 },
    tooltip: {
      trigger: "item",
      formatter: ({ dataIndex: i }) =>
        tip(
          names[i],
          shown.map((key) => [key, rows[i].row[at[key]]]),
        ),
    },
    xAxis: { type: "value", name: unit || "value", nameLocation: "middle", nameGap: 28 },
    yAxis: laneAxis(names),
    series: [
      {
        type: "custom",
        name: "5 to 95 of 100",
        renderItem: bar,
        encode: { x: [0, 1], y: 2 },
        data: rows.map(({ row, itemStyle }, i) => ({ value: [row[at.p5], row[at.p95], i], itemStyle })),
      },
      {
        type: "scatter",
        name: "middle",
        symbolSize: 10,
        data: rows.map(({ row, itemStyle }, i) => ({ value: [row[at.p50], i], itemStyle })),
      },
      {
        type: "scatter",
        name: "99th",
        symbol: "rect",
        symbolSize: [2, 12],
        color: colour("--ink"),
        data: rows.map(({ row }, i) => [row[at.p99], i]),
      },
    ],
  };
}

/** Draws the bar from value 0 to value 1 in lane 2. */
function bar(params, api) {
  const [x, y] = api.coord([api.value(0), api.value(2)]);
  const [to] = api.coord([api.value(1), api.value(2)]);
  return {
    type: "rect",
    shape: { x, y: y - 4, width: Math.max(1, to - x), height: 8 },
    style: { fill: api.visual("color"), opacity: 0.5 },
  };
}
