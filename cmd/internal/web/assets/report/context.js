// What the sections of the report share: the input and the game that are looked at, and the window of time.

import { button, el, visible, wire } from "../dom.js";
import { clock } from "../format.js";
import { playerLook, playerPlaces } from "../colour.js";
import { stateOfRecord } from "./replaydata.js";

/**
 * The state of the page. Window, choice and replay stand in the address: #t=120-300&file=1&game=0&replay=12.5. within:
 * it is a part of another page, which has the address.
 */
export function context(doc, { within = false } = {}) {
  const watchers = new Set();
  const address = new URLSearchParams(within ? "" : location.hash.slice(1));
  let second = null;
  let goSecond = null;
  const ctx = {
    doc,
    fileNumber: 0,
    gameNumber: 0,
    from: 0,
    to: 0,

    /** Looks at another input and game. */
    choose(file, game) {
      ctx.fileNumber = Math.min(Math.max(0, file || 0), doc.files.length - 1);
      ctx.file = doc.files[ctx.fileNumber];
      ctx.pictures = ctx.file.pictures;
      ctx.gameNumber = Math.min(Math.max(0, game || 0), Math.max(0, (ctx.pictures.games?.length ?? 0) - 1));
      ctx.game = ctx.pictures.games?.[ctx.gameNumber] ?? null;
      ctx.length = Math.max(1, ctx.pictures.clock.length);
      ctx.from = 0;
      ctx.to = ctx.length;
      watchers.clear();
      second = null;
      goSecond = null;
      write();
    },

    /** Calls with the second that the replay is to show: of the address, or of a link. */
    onSecond(action) {
      goSecond = action;
      if (second !== null) requestAnimationFrame(() => goSecond === action && second !== null && action(second));
    },
    /** Keeps the second that the replay stands at in the address: #replay=12.5. */
    rememberSecond(t) {
      second = t;
      write();
    },
    /** The game and second of a record's state, or of the nearest one before it: {game, t}; null: none is near. */
    stateOf(record) {
      let best = null;
      (ctx.pictures.games ?? []).forEach(({ replays }, game) => {
        for (const r of replays ?? []) {
          const found = stateOfRecord(r, record);
          if (found && !(best?.behind <= found.behind)) best = { game, ...found };
        }
      });
      return best;
    },
    /** The second of a record's state in the game that is looked at; null: there is none. */
    secondOf(record) {
      const state = ctx.stateOf(record);
      return state?.game === ctx.gameNumber ? state.t : null;
    },
    /** Shows a second of the game in the replay. quiet: whatever else is used goes on to be. */
    goSecond(t, quiet) {
      second = t;
      goSecond?.(t, quiet);
    },
    /** A time that leads to its second in the replay, or its text where there is none. */
    secondLink(t, text = clock(t, 1)) {
      if (!ctx.game?.replays?.length) return text;
      const title = "Show it in the replay";
      if (within) return button(text, () => ctx.goSecond(t), { class: "plain link", title });
      return el("a", { class: "second", href: "#replay=" + Math.max(0, t).toFixed(1), title, text });
    },

    /** Narrows the window of time, for all sections. */
    look(from, to, who) {
      from = Math.max(0, from);
      to = Math.min(ctx.length, to);
      if (to - from < 0.05 || (from === ctx.from && to === ctx.to)) return;
      ctx.from = from;
      ctx.to = to;
      write();
      watchers.forEach((w) => w.who !== who && w.action());
    },

    /** Calls when the window changes, unless who changed it. */
    watch(action, who) {
      watchers.add({ action, who });
    },

    inside(t) {
      return t >= ctx.from && t <= ctx.to;
    },
    whole() {
      return ctx.from <= 0 && ctx.to >= ctx.length;
    },

    /** A time of the axis for people: of the day where it is known, else since the beginning. */
    when(t) {
      const start = ctx.pictures.clock.start;
      if (start === undefined) return clock(t, 1);
      return clock(t, 1) + " (" + new Date((start + t) * 1000).toISOString().slice(11, 19) + " UTC)";
    },

    player(index) {
      return index === undefined ? null : ctx.game.players[index];
    },
    name(index) {
      const p = ctx.player(index);
      return p ? visible(p.name_clean || (p.client >= 0 ? "player " + p.client : "somebody")) : "";
    },
    /** How a player looks in every picture of the page: {colour, dash, symbol, sign}. */
    mark(index) {
      return playerLook(ctx.game.players[index]?.team, places(ctx.game)[index] ?? 0);
    },
    colour(index) {
      return ctx.mark(index).colour;
    },
    /** The player with a number and a name without colours; undefined: nobody. */
    find(client, name) {
      const { players } = ctx.game ?? { players: [] };
      const mine = players.findIndex((p) => p.client === client && p.name_clean === name);
      const other =
        mine < 0 ? players.findIndex((p) => (client === null ? p.name_clean === name : p.client === client)) : mine;
      return other < 0 ? undefined : other;
    },
    /** A player's name after his sign in his colour; look: another than on the whole page. */
    chip(index, name = ctx.name(index), look = null) {
      if (index === undefined) return wire(name);
      const mark = look ?? ctx.mark(index);
      const sign = el("span", { class: "sign", "aria-hidden": "true", text: mark.sign });
      sign.style.color = mark.colour;
      return el("span", { class: "who" }, sign, wire(name));
    },
    /** The number of a record near a moment that the page knows of: of a piece of the lagometer or of an event. */
    frameAt(t) {
      let best = null;
      const take = (time, frame) => {
        if (frame && (!best || Math.abs(time - t) < Math.abs(best.time - t))) best = { time, frame };
      };
      for (const c of ctx.pictures.lagometer ?? []) {
        const i = c.times.findLastIndex((from) => from <= t);
        if (i >= 0 && (!ctx.game?.server || !c.server || c.server === ctx.game.server)) take(c.times[i], c.frames[i]);
      }
      for (const e of ctx.game?.events ?? []) take(e.t, e.frame);
      return best?.frame;
    },
    /** Who plays in a stream, as far as that is known. */
    client(stream) {
      return ctx.pictures.lagometer?.find((c) => c.stream === stream && c.player)?.player;
    },
    /** Whether names and chat of the game have ^1 codes. */
    get coded() {
      return ctx.game?.protocol === "quake3";
    },
  };

  function write() {
    if (within) return;
    const parts = [];
    if (!ctx.whole()) parts.push("t=" + ctx.from.toFixed(1) + "-" + ctx.to.toFixed(1));
    if (ctx.fileNumber) parts.push("file=" + ctx.fileNumber);
    if (ctx.gameNumber) parts.push("game=" + ctx.gameNumber);
    if (second !== null) parts.push("replay=" + second.toFixed(1));
    history.replaceState(null, "", "#" + parts.join("&"));
  }

  ctx.choose(Number(address.get("file")), Number(address.get("game")));
  if (within) return ctx;
  const take = (text) => {
    const span = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text ?? "");
    if (span) ctx.look(Number(span[1]), Number(span[2]));
  };
  const takeSecond = (text) => {
    if (/^\d+(\.\d+)?$/.test(text ?? "")) ctx.goSecond(Number(text));
  };
  take(address.get("t"));
  takeSecond(address.get("replay"));
  // The viewer opens another moment of the report by its address.
  addEventListener("hashchange", () => {
    const now = new URLSearchParams(location.hash.slice(1));
    take(now.get("t"));
    takeSecond(now.get("replay"));
  });
  return ctx;
}

const ranked = new WeakMap();

/**
 * The place of each player in his team, or among all where there are none: those who play come before those who
 * watch.
 */
function places(game) {
  if (ranked.has(game)) return ranked.get(game);
  const plays = new Set(game.tracks.map((t) => t.player));
  for (const e of game.events) if (e.event === "kill") [e.player, e.other].forEach((p) => plays.add(p));
  const out = playerPlaces(game.players, (i) => plays.has(i));
  ranked.set(game, out);
  return out;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200];

/** Seconds between the marks of an axis: whole minutes or the like, about eight of them in a window. */
export function tickStep(span) {
  return steps.find((s) => span / s <= 9) ?? 86400;
}

/** The axis of time of a plot. */
export function timeAxis(ctx, more) {
  return {
    type: "value",
    min: 0,
    max: ctx.length,
    interval: tickStep(ctx.to - ctx.from),
    axisLabel: { formatter: (t) => clock(t) },
    splitLine: { show: false },
    name: "time, min:s",
    nameLocation: "middle",
    nameGap: 26,
    ...more,
  };
}

/** The axis of time of a match: from is 0. */
export function matchAxis({ from, to }) {
  return {
    type: "value",
    min: 0,
    max: to - from,
    interval: tickStep(to - from),
    axisLabel: { formatter: (t) => clock(t) },
    name: "time of the match, min:s",
    nameLocation: "middle",
    nameGap: 26,
    splitLine: { show: false },
  };
}

/** Keeps a chart's zoom and the window of the page together. */
export function share(ctx, chart, who) {
  const mark = () =>
    chart.setOption({ xAxis: chart.getOption().xAxis.map(() => ({ interval: tickStep(ctx.to - ctx.from) })) });
  const take = () => {
    chart.dispatchAction({ type: "dataZoom", startValue: ctx.from, endValue: ctx.to });
    mark();
  };
  ctx.watch(take, who);
  if (!ctx.whole()) take();
  chart.on("datazoom", () => {
    const zoom = chart.getOption().dataZoom[0];
    ctx.look(zoom.startValue ?? (zoom.start / 100) * ctx.length, zoom.endValue ?? (zoom.end / 100) * ctx.length, who);
    mark();
  });
}
