// What stands beside the picture of a replay: score and clock, who is where, the last lines, and all events as a list.

import { button, el, replace, say, wire } from "../dom.js";
import { clock, words } from "../format.js";
import { gameText } from "../colour.js";
import { before, is, matchClock, placeOf, scoreAt } from "./replaystate.js";

const shownLines = 5;
const lineSeconds = 20;
const listed = 500;

/** Score, clock, players and the last lines: {element, show(t)}. follow(player) is called by a click on a player. */
export function sidePanel(view, follow) {
  const score = el("p", { class: "replay-score" });
  const players = el("ul", { class: "replay-players", "aria-label": "Players" });
  const log = el("ol", { class: "replay-log", "aria-label": "What just happened" });
  const element = el("div", { class: "replay-side" }, score, players, log);
  const rows = new Map();
  for (const { player } of view.replay.tracks) {
    if (rows.has(player)) continue;
    const text = el("span", { class: "replay-with" });
    const choose = button("", () => follow(view.follow === player ? null : player), { "aria-pressed": "false" });
    rows.set(player, { item: el("li", {}, choose, text), choose, text, was: null, look: null });
  }
  const told = view.events.filter((e) => e.event !== "pickup");
  const toldTimes = told.map((e) => e.t);
  let said = "";
  let last = -1;

  function show(t) {
    showScore(view, score, t);
    const places = new Map();
    for (const track of view.replay.tracks) {
      const place = placeOf(track, t);
      if (place && !(places.get(track.player)?.since <= place.since)) places.set(track.player, place);
    }
    const order = [...rows.keys()].filter((p) => places.has(p) && places.get(p).since < 60);
    const key = order.join();
    if (key !== said)
      replace(
        players,
        order.map((p) => rows.get(p).item),
      );
    said = key;
    for (const p of order) {
      const row = rows.get(p);
      const look = view.mark(p, t);
      if (row.look !== look) replace(row.choose, view.ctx.chip(p, view.ctx.name(p), (row.look = look)));
      const text = describe(view, places.get(p));
      if (row.was !== text) say(row.text, (row.was = text));
      const pressed = String(view.follow === p);
      if (row.choose.getAttribute("aria-pressed") !== pressed) row.choose.setAttribute("aria-pressed", pressed);
    }
    const index = before(toldTimes, t);
    const lines = told.slice(Math.max(0, index - shownLines + 1), index + 1).filter((e) => e.t > t - lineSeconds);
    const now = index * 10 + lines.length;
    if (now !== last)
      replace(
        log,
        lines.map((e) => el("li", {}, eventText(view.ctx, e))),
      );
    last = now;
  }
  return { element, show };
}

/** What is known of a player, in words. */
export function describe(view, place) {
  if (place.since) return `not seen for ${Math.round(place.since)} s`;
  if (is(place, "dead")) return "dead";
  const parts = [];
  const weapon = view.replay.names[place.weapon];
  if (weapon) parts.push(words(weapon));
  if (place.health > 0) parts.push(`${place.health} health`);
  if (place.armor > 0) parts.push(`${place.armor} armor`);
  if (is(place, "redFlag") || is(place, "blueFlag") || is(place, "otherFlag")) parts.push("has a flag");
  return parts.join(", ");
}

function showScore(view, element, t) {
  const { ctx } = view;
  const match = (ctx.game.matches ?? []).find((m) => m.from <= t && t <= m.to);
  const text = match
    ? scoreAt(match, t)
        .sort((a, b) => b.points - a.points)
        .slice(0, 4)
        .map((s) => `${s.name} ${s.points}`)
        .join("  ·  ")
    : "";
  const time = match ? clock(matchClock(match, ctx.game.pauses, t)) : "";
  const all = `${time}${text ? "   " + text : ""}`;
  if (element.dataset.said === all) return;
  element.dataset.said = all;
  replace(element, el("strong", { text: time }), " ", wire(text));
}

/** An event in words. */
export function eventText(ctx, e) {
  return e.event === "chat" && e.text
    ? [wire(ctx.name(e.player)), ": ", gameText(e.text, ctx.coded)]
    : wire(e.info ?? words(e.event));
}

/** All events as a list of buttons that lead to their second: the replay for those who do not see it. */
export function eventList(view, go) {
  const box = el("ol", { class: "lines" });
  const list = el(
    "details",
    { class: "replay-events" },
    el("summary", { text: "Events of the replay as a list" }),
    box,
  );
  list.addEventListener("toggle", () => {
    if (!list.open || box.firstChild) return;
    let shown = 0;
    const more = button("show more", fill, { class: "more" });
    list.append(more);
    function fill() {
      for (const e of view.events.slice(shown, shown + listed)) {
        const line = button("", () => go(e.t), { class: "small" });
        line.append(clock(e.t, 1) + " ");
        box.append(el("li", {}, line, " ", eventText(view.ctx, e)));
      }
      shown += listed;
      more.hidden = shown >= view.events.length;
    }
    fill();
  });
  return list;
}
