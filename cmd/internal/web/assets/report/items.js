// The items of a match that count most: armour, mega health, powerups, and who took them when.

import { visible } from "../dom.js";
import { clock, words } from "../format.js";
import { colour } from "../colour.js";
import { labelSpace, plot, tip } from "../plot.js";
import { table } from "../table.js";
import { matchAxis } from "./context.js";
import { moment, momentBox } from "./moment.js";

/** The items that decide matches, by a part of their names. */
const wanted = new RegExp(
  [
    "mega|armor(?!_shard)|shield|quad|enviro|haste|invis|regen|flight",
    "battle_?suit|boon|enlighten|kamikaze|invulnerability",
  ].join("|"),
);
const near = 250; // units: pick-ups of an item closer than that are of one place

/** When somebody took one of the items that count most: a lane for each place of each. */
export function items(ctx, m, title) {
  if (!m.course || m.game !== ctx.gameNumber) return [];
  const lanes = lanesOf(ctx.game.events, m.course);
  if (!lanes.length) return [];
  const who = [...new Set(lanes.flatMap((l) => l.events.map((e) => e.player)))].sort((a, b) => (a ?? 1e9) - (b ?? 1e9));
  const box = momentBox();
  const figure = plot({
    title: `Armour, mega health and powerups, ${title}`,
    height: 90 + 26 * lanes.length,
    note:
      "A line for each place of an item; a mark is when somebody took it. What was taken out of view is missing. " +
      "A click shows the record.",
    option: () => option(ctx, m.course, lanes, who),
    on: { click: (p) => p.data?.e && moment(ctx, box, p.data.e.t, p.data.e.frame) },
    columns: [
      { key: "time", type: "number", unit: "s" },
      { key: "frame", type: "integer" },
      { key: "item", type: "string" },
      { key: "name", type: "string" },
      { key: "since", type: "number", unit: "s" },
    ],
    rows: () =>
      lanes
        .flatMap((l) => l.events.map((e, i) => [e.t, e.frame, l.label, ctx.name(e.player) || null, since(l, i)]))
        .sort((a, b) => a[0] - b[0]),
  });
  return [figure, box, takers(ctx, lanes, who, title)];
}

/** The lanes: [{what, place, label, events}], by item, the place where most were taken first. */
function lanesOf(events, { from, to }) {
  const lanes = [];
  const isHere = (l, e) => !e.place || !l.place || Math.hypot(...e.place.map((v, i) => v - l.place[i])) < near;
  for (const e of events) {
    if (e.event !== "pickup" || e.t < from || e.t > to || !wanted.test(e.what ?? "")) continue;
    let lane = lanes.find((l) => l.what === e.what && isHere(l, e));
    if (!lane) lanes.push((lane = { what: e.what, place: e.place, events: [] }));
    lane.events.push(e);
  }
  lanes.sort((a, b) => (a.what < b.what ? -1 : a.what > b.what ? 1 : b.events.length - a.events.length));
  for (const lane of lanes) {
    const same = lanes.filter((o) => o.what === lane.what);
    const item = words(lane.what.replace(/^item_/, "").replace(/_instant$/, ""));
    lane.label = visible(item + (same.length > 1 ? " " + (same.indexOf(lane) + 1) : ""));
  }
  return lanes;
}

/** The seconds since the item was taken before; null: it was not. */
function since(lane, i) {
  return i ? lane.events[i].t - lane.events[i - 1].t : null;
}

function option(ctx, course, lanes, who) {
  const labels = lanes.map((l) => l.label);
  return {
    legend: {},
    grid: { left: labelSpace(labels), right: 16, top: 40, bottom: 44 },
    tooltip: {
      trigger: "item",
      formatter: (p) =>
        tip(clock(p.value[0]), [
          [labels[p.value[1]], p.seriesName],
          ["after the one before", p.data.since === null ? "" : clock(p.data.since, 1)],
        ]),
    },
    xAxis: matchAxis(course),
    yAxis: {
      type: "category",
      inverse: true,
      data: labels,
      axisTick: { show: false },
      axisLabel: { interval: 0, width: labelSpace(labels) - 12, overflow: "truncate" },
      splitLine: { show: true },
    },
    series: who.map((player) => {
      const mark = player === undefined ? { colour: colour("--ink-2"), symbol: "emptyCircle" } : ctx.mark(player);
      return {
        name: player === undefined ? "not seen who" : ctx.name(player),
        type: "scatter",
        symbol: mark.symbol,
        symbolSize: 10,
        color: mark.colour,
        itemStyle: { borderColor: colour("--paper"), borderWidth: 1 },
        data: lanes.flatMap((l, lane) =>
          l.events
            .map((e, i) => ({ value: [e.t - course.from, lane], since: since(l, i), e }))
            .filter(({ e }) => e.player === player),
        ),
      };
    }),
  };
}

/** The table of how often each player took each item. */
function takers(ctx, lanes, who, title) {
  const columns = [
    { key: "name", type: "string" },
    ...lanes.map((l, i) => ({ key: "lane" + i, type: "integer", name: l.label })),
  ];
  const counts = who
    .filter((p) => p !== undefined)
    .map((player) => [player, ...lanes.map((l) => l.events.filter((e) => e.player === player).length)]);
  return table(columns, counts, {
    caption: "Who took them how often",
    csv: { title: "who took items " + title, rows: counts.map(([player, ...n]) => [ctx.name(player), ...n]) },
    show: (v, c) => (c.key === "name" ? ctx.chip(v) : v ? undefined : ""),
  });
}
