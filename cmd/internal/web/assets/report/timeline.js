// The time line: a lane for each player with what he did; a brush that sets the window of the page.

import { button, el, visible } from "../dom.js";
import { clock, number, words } from "../format.js";
import { clear, colour, readable } from "../colour.js";
import { labelSpace, plot, tip } from "../plot.js";
import { share, timeAxis } from "./context.js";
import { eventsInWindow, moment, momentBox, pauseShades } from "./moment.js";
import { signsOf } from "./signs.js";

export function timeline(ctx) {
  const game = ctx.game;
  const events = game?.events ?? [];
  if (!events.length) {
    return el("p", {
      class: "nothing",
      text: "No events: nothing of what happens in the game was seen, or it is a game whose events are not known.",
    });
  }
  const lanes = lanesOf(ctx, events);
  const shown = {
    ...lanes,
    events,
    signs: signsOf(events, lanes),
    losses: lost(ctx, lanes.place),
    pauses: pauseShades(ctx, clear(colour("--series-5"), 0.25)),
  };
  const around = momentBox();
  const figure = plot({
    title: "What happened when" + (game.server ? ", " + game.server : ""),
    note: note(ctx, shown),
    height: 110 + 34 * (lanes.players.length + 1),
    option: () => option(ctx, shown),
    on: {
      click: (p) =>
        p.seriesName === "loss"
          ? moment(ctx, around, p.data[0], p.data[5])
          : p.data?.e && moment(ctx, around, p.data.e.t, p.data.e.frame),
    },
    columns,
    rows: () => events.filter((e) => ctx.inside(e.t)).map(row),
    tools: [
      button("Whole time", () => ctx.look(0, ctx.length), { class: "small" }),
      button("Events as lines", () => eventsInWindow(ctx, around), { class: "small" }),
    ],
  });
  figure.whenDrawn((chart) => share(ctx, chart, "timeline"));
  return [figure, around];
}

const columns = [
  { key: "time", type: "number", unit: "s" },
  { key: "frame", type: "integer" },
  { key: "event", type: "string" },
  { key: "info", type: "string" },
  { key: "streams", type: "string" },
  { key: "not_seen_by", type: "string" },
];

function row(e) {
  return [e.t, e.frame, e.event, e.info ?? null, e.streams?.join(" ") ?? null, e.not_seen_by?.join(" ") ?? null];
}

/**
 * The lanes: {players, place, labels}. players by lane, place the lane of each player. The last lane has a label and no
 * player: it is for what concerns nobody, or all.
 */
function lanesOf(ctx, events) {
  const game = ctx.game;
  const tracked = new Set(game.tracks.map((t) => t.player));
  const busy = new Set([...events.flatMap((e) => [e.player, e.other]), ...tracked]);
  busy.delete(undefined);
  const known = [...busy].filter((p) => game.players[p].name_clean || tracked.has(p));
  const players = busiest(events, known).sort((a, b) => order(game.players[a]) - order(game.players[b]) || a - b);
  return {
    players,
    place: new Map(players.map((p, i) => [p, i])),
    labels: [
      ...players.map((p) => ctx.mark(p).sign + " " + ctx.name(p)),
      known.length > players.length ? "game, others" : "game",
    ],
  };
}

/** What is seen, in sentences. */
function note(ctx, { players, losses, pauses }) {
  const [red, blue] = ctx.game.sides;
  return (
    "A triangle up is a kill, down a death. The grey bar is the time in which snapshots show the player." +
    (players.some((p) => ctx.game.players[p].team)
      ? ` Names in warm colours (◆ ▲) are ${red}, in cool ones (● ■) ${blue}.`
      : "") +
    " Drag the slider to set the window of all pictures below; a click on a sign shows its record and what " +
    "happened around it." +
    (losses.length ? " Red below the bar is loss: messages to or from the player that were lost." : "") +
    (pauses.length ? " Yellow is a pause: the clock of the match stopped." : "")
  );
}

function option(ctx, shown) {
  const { players, labels, losses, events } = shown;
  const nameColour = (i) =>
    i < players.length ? readable(ctx.colour(players[i]), colour("--paper")) : colour("--ink");
  return {
    legend: {
      data: ["in view", ...(losses.length ? ["loss"] : []), ...shown.signs.map((s) => s.name)],
      selected: { items: shown.signs.length < 3 || events.length < 400 },
    },
    grid: { left: labelSpace(labels), right: 16, top: 48, bottom: 84 },
    tooltip: { trigger: "item", formatter: (p) => tooltip(ctx, p) },
    dataZoom: [
      {
        type: "slider",
        xAxisIndex: 0,
        filterMode: "none",
        showDataShadow: false,
        height: 24,
        bottom: 8,
        labelFormatter: (t) => clock(t),
        borderColor: colour("--line"),
        textStyle: { color: colour("--ink-2") },
        startValue: ctx.from,
        endValue: ctx.to,
      },
      { type: "inside", xAxisIndex: 0, filterMode: "none", zoomOnMouseWheel: "ctrl" },
    ],
    xAxis: timeAxis(ctx, { name: "" }),
    yAxis: {
      type: "category",
      inverse: true,
      data: labels,
      axisTick: { show: false },
      axisLabel: {
        interval: 0,
        width: labelSpace(labels) - 12,
        overflow: "truncate",
        color: (text, i) => nameColour(i),
      },
      splitLine: { show: true },
    },
    series: [...laneSeries(ctx, shown), ...shadeSeries(ctx, shown)],
  };
}

function tooltip(ctx, { seriesName, data }) {
  if (seriesName === "loss") {
    const [t, , , lost, of] = data;
    return tip(ctx.when(t), [
      ["messages lost", lost],
      ["of", of],
      ["share", number((100 * lost) / Math.max(1, of), 1) + " %"],
    ]);
  }
  if (!data.e) return "";
  return tip(ctx.when(data.e.t), [
    [words(data.e.event), data.e.info],
    [ctx.file.recording ? "message" : "frame", data.e.frame],
    ["seen by streams", data.e.streams?.join(", ")],
  ]);
}

/** What is in the lanes: bars of being in view, marks of loss, signs of events. */
function laneSeries(ctx, { place, losses, signs }) {
  const bars = { type: "custom", encode: { x: [0, 1], y: 2 } };
  const inView = {
    ...bars,
    name: "in view",
    silent: true,
    data: seen(ctx.game, place),
    renderItem: bar,
    itemStyle: { color: clear(colour("--ink-2"), 0.18) },
    tooltip: { show: false },
  };
  const loss = {
    ...bars,
    name: "loss",
    data: losses,
    renderItem: lossMark,
    itemStyle: { color: colour("--team-red") },
  };
  return [
    inView,
    ...(losses.length ? [loss] : []),
    ...signs.map((s) => ({
      name: s.name,
      type: "scatter",
      symbol: s.symbol,
      symbolSize: s.size,
      symbolOffset: s.offset,
      itemStyle: { color: colour(s.ink) },
      data: s.events.map(({ e, lane }) => ({ value: [e.t, lane], e })),
    })),
  ];
}

/** What is behind the lanes: matches, pauses, and where maps begin. */
function shadeSeries(ctx, { labels, pauses }) {
  const label = (position, more) => ({ color: colour("--ink-2"), position, ...more });
  const maps = (ctx.game.maps ?? []).filter((m) => m.t > 0.5).map((m) => ({ xAxis: m.t, name: m.map }));
  return [
    {
      name: "matches",
      type: "line",
      data: [],
      markArea: {
        silent: true,
        itemStyle: { color: clear(colour("--series-1"), 0.07) },
        label: label("top", { distance: 2 }),
        data: matchAreas(ctx, labelSpace(labels)),
      },
    },
    {
      name: "pauses",
      type: "line",
      data: [],
      markArea: { silent: true, label: label("insideTop"), data: pauses },
    },
    {
      name: "maps",
      type: "line",
      data: [],
      markLine: {
        silent: true,
        symbol: "none",
        lineStyle: { color: colour("--ink-2"), type: "dotted" },
        label: label("insideEndTop", { formatter: (p) => visible(p.name) }),
        data: maps,
      },
    },
  ];
}

/** The times of matches as shades. A label is left out that would be over the one before it. */
function matchAreas(ctx, left) {
  const pixels = (Math.min(1000, innerWidth - 40) - left) / (ctx.to - ctx.from); // a second
  let last = -Infinity;
  return (ctx.game.matches ?? []).map((m) => {
    const middle = ((m.from + m.to) / 2) * pixels;
    const room = middle - last > 44;
    if (room) last = middle;
    return [{ xAxis: m.from, name: room ? "match" : "" }, { xAxis: m.to }];
  });
}

const mostLanes = 80;

/** Those players of whom most is known, as many as there are lanes. */
function busiest(events, players) {
  if (players.length <= mostLanes) return players;
  const count = new Map(players.map((p) => [p, 0]));
  for (const e of events) for (const p of [e.player, e.other]) if (count.has(p)) count.set(p, count.get(p) + 1);
  return [...players].sort((a, b) => count.get(b) - count.get(a)).slice(0, mostLanes);
}

function order(p) {
  return p.team === "red" ? 0 : p.team === "blue" ? 1 : p.name_clean ? 2 : 3;
}

/** When players are shown, as bars: [from, to, lane]. A gap of more than a second is one. */
function seen(game, place) {
  const bars = [];
  for (const track of game.tracks) {
    const lane = place.get(track.player);
    if (lane === undefined) continue;
    let t = 0;
    let from = null;
    let last = 0;
    for (const step of track.times) {
      t += step;
      const now = t * track.step;
      if (from === null) from = now;
      else if (now - last > 1) {
        bars.push([from, last, lane]);
        from = now;
      }
      last = now;
    }
    if (from !== null) bars.push([from, last, lane]);
  }
  return bars;
}

function bar(params, api) {
  const [x, y] = api.coord([api.value(0), api.value(2)]);
  const [to] = api.coord([api.value(1), api.value(2)]);
  const left = Math.max(x, params.coordSys.x);
  const right = Math.min(Math.max(to, x + 1), params.coordSys.x + params.coordSys.width);
  if (right <= left) return null;
  return {
    type: "rect",
    shape: { x: left, y: y - 5, width: right - left, height: 10 },
    style: { fill: api.visual("color") },
  };
}

/** Where messages of players were lost, both ways: [from, to, lane, lost, of, frame]. */
function lost(ctx, place) {
  const bars = [];
  ctx.game.players.forEach((player, index) => {
    if (!player.own || !place.has(index)) return;
    for (const c of ctx.pictures.lagometer) {
      if (c.player !== player.name_clean || (ctx.game.server && c.server !== ctx.game.server)) continue;
      c.times.forEach((t, i) => {
        const n = c.lost[i] + c.lost_behind[i];
        if (n) bars.push([t, t + c.step, place.get(index), n, c.messages[i] + c.lost[i], c.frames[i] || null]);
      });
    }
  });
  return bars;
}

/** A mark below the bar of a player, the taller the greater the share. */
function lossMark(params, api) {
  const [x, y] = api.coord([api.value(0), api.value(2)]);
  const [to] = api.coord([api.value(1), api.value(2)]);
  const left = Math.max(x, params.coordSys.x);
  const right = Math.min(Math.max(to, x + 2), params.coordSys.x + params.coordSys.width);
  if (right <= left) return null;
  const height = 2 + 6 * Math.min(1, api.value(3) / Math.max(1, api.value(4)));
  return {
    type: "rect",
    shape: { x: left, y: y + 6, width: right - left, height },
    style: { fill: api.visual("color") },
  };
}
