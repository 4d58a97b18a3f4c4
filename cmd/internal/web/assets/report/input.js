// Input: distributions of what players do, one beside the other. Data, no verdicts.

import { el, replace, visible } from "../dom.js";
import { upper, words } from "../format.js";
import { colour } from "../colour.js";
import { choice, labelSpace, plot, tip } from "../plot.js";
import { tableBehind } from "../table.js";
import { aiming } from "./aim.js";
import { kinds, told } from "./kinds.js";
import { unusual } from "./moments.js";

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
  if (!rows.length)
    return [
      warning,
      el("p", {
        class: "nothing",
        text:
          "No input: no commands of clients and no views in snapshots were decoded, or the game has none that are" +
          " known.",
      }),
    ];
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  const measures = [...new Set(rows.map((r) => r[at.measure]))];
  const picture = el("div", {});
  const draw = (measure) => replace(picture, one(measure));

  /** The colour of the player of a row. */
  function ink(r) {
    const clean = r[at.name] ? String(r[at.name]).replace(/\^[0-9A-Za-z]/g, "") : ctx.client(r[at.stream]);
    const other = ctx.game?.streams?.length && !ctx.game.streams.includes(r[at.stream]);
    const player = other || (r[at.client_num] === null && !clean) ? undefined : ctx.find(r[at.client_num], clean);
    return player === undefined ? colour("--ink-2") : ctx.colour(player);
  }

  /** The player of a row, and where the row is from. */
  function plain(r) {
    const unnamed = r[at.client_num] !== null ? "player " + r[at.client_num] : "stream " + r[at.stream];
    const name = r[at.name]
      ? String(r[at.name]).replace(/\^[0-9A-Za-z]/g, "")
      : (r[at.kind] === "command" && ctx.client(r[at.stream])) || unnamed;
    return visible(name + " (" + kinds[r[at.kind]] + ")");
  }

  function one(measure) {
    const all = rows.filter((r) => r[at.measure] === measure);
    const mine = all.length <= most ? all : [...all].sort((a, b) => b[at.count] - a[at.count]).slice(0, most);
    const unit = all[0][at.unit] ?? "";
    const title = upper(words(measure)) + (unit ? ", " + unit : "");
    const note = [
      notes[measure],
      all.length > most ? `Those ${most} of ${all.length} with the most values; the table has all.` : null,
    ];
    const spread = mine.filter((r) => r[at.p50] !== null && r[at.p50] !== undefined);
    const name = told(mine, plain, (r) => r[at.stream]);
    // Every row has its label, of as many lines as it takes.
    const wide = (list) => labelSpace(list.map(name)) - 12;
    const labels = (list) => ({
      width: wide(list),
      overflow: "break",
      lineHeight: 13,
      interval: 0,
      hideOverlap: false,
    });
    const rowOf = (list) =>
      Math.max(28, 6 + 13 * Math.max(...list.map((r) => Math.ceil((6.6 * name(r).length) / (wide(list) - 12)))));
    if (!spread.length) {
      return plot({
        title,
        note: note.filter(Boolean).join(" "),
        height: 60 + rowOf(mine) * mine.length,
        option: () => ({
          grid: { left: labelSpace(mine.map(name)), right: 60, top: 8, bottom: 44 },
          xAxis: { type: "value", name: "count", nameLocation: "middle", nameGap: 26 },
          yAxis: { type: "category", inverse: true, data: mine.map(name), axisLabel: labels(mine) },
          series: [
            {
              type: "bar",
              data: mine.map((r) => ({ value: r[at.count], itemStyle: { color: ink(r) } })),
              label: { show: true, position: "right" },
            },
          ],
        }),
        columns,
        rows: all,
      });
    }
    return plot({
      title,
      height: 70 + rowOf(spread) * spread.length,
      note: [...note, "Bar: 5th to 95th percentile. Dot: median. Small mark: 99th percentile."]
        .filter(Boolean)
        .join(" "),
      option: () => ({
        grid: { left: labelSpace(spread.map(name)), right: 24, top: 8, bottom: 44 },
        tooltip: {
          trigger: "item",
          formatter: (p) =>
            tip(
              name(spread[p.dataIndex]),
              ["count", "mean", "min", "p5", "p50", "p95", "p99", "max"].map((k) => [k, spread[p.dataIndex][at[k]]]),
            ),
        },
        xAxis: { type: "value", name: unit || "value", nameLocation: "middle", nameGap: 28 },
        yAxis: { type: "category", inverse: true, data: spread.map(name), axisLabel: labels(spread) },
        series: [
          {
            type: "custom",
            name: "5 to 95 of 100",
            renderItem: range,
            encode: { x: [0, 1], y: 2 },
            data: spread.map((r, i) => ({ value: [r[at.p5], r[at.p95], i], itemStyle: { color: ink(r) } })),
          },
          {
            type: "scatter",
            name: "middle",
            symbolSize: 10,
            data: spread.map((r, i) => ({ value: [r[at.p50], i], itemStyle: { color: ink(r) } })),
          },
          {
            type: "scatter",
            name: "99th",
            symbol: "rect",
            symbolSize: [2, 12],
            color: colour("--ink"),
            data: spread.map((r, i) => [r[at.p99], i]),
          },
        ],
      }),
      columns,
      rows: all,
    });
  }

  function range(params, api) {
    const [x, y] = api.coord([api.value(0), api.value(2)]);
    const [to] = api.coord([api.value(1), api.value(2)]);
    return {
      type: "rect",
      shape: { x, y: y - 4, width: Math.max(1, to - x), height: 8 },
      style: { fill: api.visual("color"), opacity: 0.5 },
    };
  }

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
