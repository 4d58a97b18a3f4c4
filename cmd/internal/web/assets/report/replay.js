// The replay: the match from above, or from the side, as it moved.

import { button, el, fileName, onTheme, replace, save, say, visible, wire } from "../dom.js";
import { clock, number } from "../format.js";
import { frame } from "../frame.js";
import { colour } from "../colour.js";
import { addMenu, whenNear } from "../plot.js";
import { oncePerFrame, svgPen } from "./pen.js";
import { moment, momentBox } from "./moment.js";
import { Scene } from "./mapscene.js";
import { unpackReplay } from "./replaydata.js";
import { companionsOf, joined } from "./replayjoin.js";
import { barNote, timeBar } from "./replaybar.js";
import { before, holesOf, placeOf, spotsOf, thingIndex } from "./replaystate.js";
import { drawGround, paintMoment } from "./replaypaint.js";
import { eventList, sidePanel } from "./replayside.js";
import { cutSlider, painter, toggle } from "./replaystage.js";
import { placeColumns, placeRows } from "./replaytable.js";
import { looksByTeam } from "./teams.js";

const besideEvery = 100; // milliseconds between two changes of the words beside the picture while it plays
const speeds = [0.25, 0.5, 1, 2, 4, 8];

/** The replays of a game, one for each map. */
export function replay(ctx) {
  const list = ctx.game?.replays ?? [];
  if (!list.length) {
    return el("p", {
      class: "nothing",
      text: "Nothing to play: no state of the game shows where players are.",
    });
  }
  const most = list.reduce((best, r) => (r.count > best.count ? r : best));
  const box = el("div", {});
  let card = null;
  const show = (packed) => {
    card?.stop();
    card = replayCard(ctx, packed);
    replace(box, card.element);
  };
  const name = (r) =>
    r.map < 0 ? "map not known" : ctx.game.maps[r.map].map + " from " + clock(ctx.game.maps[r.map].t);
  const select = el(
    "select",
    { onchange: () => show(list[select.selectedIndex]) },
    list.map((r) => el("option", { text: visible(name(r)), selected: r === most })),
  );
  show(most);
  // Another part of the page, or the address, asks for a second.
  ctx.onSecond((t, quiet) => {
    const at = list.findLast((r) => r.map < 0 || ctx.game.maps[r.map].t <= t + 0.05) ?? most;
    if (at !== card.packed) {
      select.selectedIndex = list.indexOf(at);
      show(at);
    }
    card.go(t);
    if (quiet) return;
    box.scrollIntoView({ block: "nearest" });
    card.focus();
  });
  return [list.length > 1 ? el("label", {}, "Map ", select) : null, box];
}

/** What the parts of a card share: the unpacked replay, and what is chosen. */
function viewOf(ctx, packed) {
  const own = unpackReplay(packed);
  const companions = companionsOf(ctx, packed, own);
  const unpacked = companions.length ? joined(own, companions) : own;
  const scene = new Scene(ctx, packed.map, unpacked.tracks);
  const [from, to] = [unpacked.times[0], unpacked.times.at(-1)];
  const events = ctx.game.events.filter((e) => e.t >= from - 1 && e.t <= to + 1 && e.event !== "score");
  const looks = new Map();
  const byTeam = looksByTeam(ctx.game);
  onTheme(() => {
    looks.clear();
    byTeam.clear();
  });
  return {
    ctx,
    scene,
    replay: unpacked,
    own, // of this input alone: its records belong to its times
    companions,
    events,
    kills: events.filter((e) => e.event === "kill" && e.place),
    holes: holesOf(unpacked),
    spots: spotsOf(unpacked.things),
    things: thingIndex(unpacked.things, 0.5),
    follow: null,
    cut: null,
    trails: true,
    names: true,
    /** How a player looks at a time: he is of the team that he is in then. */
    mark(player, t) {
      if (!looks.has(player)) looks.set(player, ctx.mark(player));
      return byTeam.at(player, t) ?? looks.get(player);
    },
  };
}

function replayCard(ctx, packed) {
  const view = viewOf(ctx, packed);
  const { times, records } = view.own;
  const state = { from: times[0], to: times.at(-1), at: times[0], playing: false, speed: 1 };
  const begin = ctx.game.matches?.find((m) => m.from >= state.from && m.from < state.to);
  if (begin) state.at = begin.from;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  if (calm.matches) view.trails = false;

  const title = `Replay of ${packed.map < 0 ? "the map" : ctx.game.maps[packed.map].map}`;
  const canvas = el("canvas", { "aria-hidden": "true" });
  const stage = el(
    "div",
    {
      class: "stage replay-stage",
      role: "img",
      tabindex: "0",
      "aria-label": visible(title) + ". The list of events below says the same in words.",
    },
    canvas,
  );
  stage.style.setProperty("--shape", view.scene.shape.toFixed(3));
  const draw = painter(view, state, stage, canvas);
  const side = sidePanel(view, follow);
  const bar = timeBar(view, state, (t) => go(t));
  const status = el("p", { class: "note", role: "status" });
  const box = momentBox();
  const now = el("output", { class: "mono" });

  const play = button("▶ Play", () => setPlaying(!state.playing), { class: "replay-play" });
  const speed = el(
    "select",
    { "aria-label": "Speed", onchange: () => (state.speed = speeds[speed.selectedIndex]) },
    speeds.map((s) => el("option", { text: s + "×", selected: s === 1 })),
  );

  const redraw = oncePerFrame(show);
  let beside = 0; // when what stands beside the picture was shown
  function show() {
    draw();
    bar.draw();
    const time = performance.now();
    if (state.playing && time - beside < besideEvery) return; // nobody reads faster
    beside = time;
    side.show(state.at);
    const text = clock(state.at, 1);
    if (now.textContent !== text) say(now, text);
  }
  function setPlaying(on) {
    if (on === state.playing) return;
    state.playing = on;
    say(play, on ? "⏸ Pause" : "▶ Play");
    play.setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) return stand();
    if (state.at >= state.to) state.at = state.from;
    let last = performance.now();
    const step = (time) => {
      if (!state.playing || !stage.isConnected) return;
      // Who wants less motion gets a still for each second.
      if (!calm.matches || time - last >= 1000) {
        state.at = Math.min(state.to, state.at + ((time - last) / 1000) * state.speed);
        last = time;
        show();
      }
      if (state.at >= state.to) setPlaying(false);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  /** Shows where it stands, and puts the second into the address. */
  function stand() {
    ctx.rememberSecond(state.at);
    tell();
    redraw();
  }
  /** Says where it stands. */
  function tell() {
    const i = Math.max(0, before(times, state.at));
    const seen = view.replay.tracks.map((track) => placeOf(track, state.at)).filter((place) => place && !place.since);
    replace(
      status,
      wire(ctx.when(state.at)),
      `: ${number(seen.length)} ${seen.length === 1 ? "player" : "players"} in view. The state is `,
      ctx.file.recording ? "message " : "frame ",
      frame(records[i], ctx.fileNumber),
      ". ",
      button("The record", () => showRecord(i), { class: "small" }),
    );
  }
  function showRecord(i) {
    if (ctx.openRecord) ctx.openRecord(records[i]);
    else moment(ctx, box, times[i], records[i]);
  }
  function go(t, stop = false) {
    state.at = Math.min(state.to, Math.max(state.from, t));
    bar.tell();
    if (stop) setPlaying(false);
    if (!state.playing) stand();
  }
  function follow(player) {
    view.follow = player;
    who.value = player === null ? "" : String(player);
    redraw();
  }
  /** The next kill after, or the last one before now. */
  function kill(way) {
    const list = view.events.filter((e) => e.event === "kill");
    const next = way > 0 ? list.find((e) => e.t > state.at + 1.05) : list.findLast((e) => e.t < state.at + 0.95);
    if (next) go(next.t - 1);
  }

  const players = [...new Set(view.replay.tracks.map((track) => track.player))];
  const who = el(
    "select",
    { onchange: () => follow(who.value === "" ? null : Number(who.value)) },
    el("option", { value: "", text: "nobody" }),
    players.map((p) => el("option", { value: String(p), text: ctx.name(p) })),
  );
  const keys = {
    " ": () => setPlaying(!state.playing),
    k: () => setPlaying(!state.playing),
    ArrowLeft: (e) => go(state.at - (e.shiftKey ? 10 : 1)),
    ArrowRight: (e) => go(state.at + (e.shiftKey ? 10 : 1)),
    PageUp: () => go(state.at + 30),
    PageDown: () => go(state.at - 30),
    Home: () => go(state.from),
    End: () => go(state.to),
    ",": () => go(times[Math.max(0, before(times, state.at - 1e-6))], true),
    ".": () => go(times[Math.min(times.length - 1, before(times, state.at) + 1)], true),
    n: () => kill(1),
    p: () => kill(-1),
    f: () => follow(players[(players.indexOf(view.follow) + 1) % (players.length + 1)] ?? null),
    "+": () => setSpeed(1),
    "-": () => setSpeed(-1),
  };
  function setSpeed(way) {
    speed.selectedIndex = Math.min(speeds.length - 1, Math.max(0, speed.selectedIndex + way));
    state.speed = speeds[speed.selectedIndex];
  }
  const figure = el(
    "figure",
    {
      class: "plot replay",
      onkeydown: (e) => {
        if (/^(SELECT|INPUT|SUMMARY)$/.test(e.target.tagName) || e.ctrlKey || e.altKey || e.metaKey) return;
        if (e.key === " " && e.target.tagName === "BUTTON") return;
        const action = keys[e.key];
        if (!action) return;
        e.preventDefault();
        e.stopPropagation(); // the viewer has other meanings for some
        action(e);
      },
    },
    el("figcaption", {}, el("span", { class: "title" }, wire(title))),
    el(
      "div",
      { class: "replay-stand" },
      stage,
      side.element,
      el(
        "div",
        { class: "replay-hand" },
        bar.element,
        el(
          "div",
          { class: "controls" },
          play,
          speed,
          now,
          view.events.some((e) => e.event === "kill")
            ? [
                button("◀ Kill", () => kill(-1), { "aria-label": "Previous kill" }),
                button("Kill ▶", () => kill(1), { "aria-label": "Next kill" }),
              ]
            : null,
          el("label", {}, "Follow ", who),
          toggle("Trails", view, "trails", redraw),
          toggle("Names", view, "names", redraw),
          cutSlider(view, redraw),
        ),
      ),
    ),
    barNote(view),
    joinNote(view),
    status,
    box,
    eventList(view, (t) => go(t - 1, true)),
    el("p", {
      class: "note",
      text:
        "Keys: space plays, arrows go a second (with Shift ten), comma and period a state, N and P a kill, F follows " +
        "the next player, + and − change the speed. A hollow sign is where somebody was last seen, not where he is.",
    }),
  );
  const pictures = {
    PNG: () => {
      draw();
      canvas.toBlob((b) => save(fileName(title) + ".png", b), "image/png");
    },
    SVG: () => {
      const [width, height] = [stage.clientWidth, stage.clientHeight];
      const pen = svgPen(width, height, colour("--paper"));
      drawGround(view, pen, width, height);
      paintMoment(view, pen, view.scene.project(width, height), state.at);
      save(fileName(title) + ".svg", pen.picture(), "image/svg+xml");
    },
  };
  addMenu(figure, { title, pictures, columns: placeColumns, rows: () => placeRows(view) });
  onTheme(redraw);
  new ResizeObserver(redraw).observe(stage);
  whenNear(stage, () => {
    tell();
    show();
  });
  return {
    element: figure,
    packed,
    go: (t) => go(t, true),
    stop: () => (state.playing = false),
    focus: () => stage.focus({ preventScroll: true }),
  };
}

/** Which other inputs show the same match. */
function joinNote({ companions }) {
  if (!companions.length) return null;
  const list = companions.map((c) => `${c.name} (${number(c.common)} places compared)`).join(", ");
  return el(
    "p",
    { class: "note" },
    "Players and things out of view are those of other inputs that show the match: ",
    wire(list),
    ".",
  );
}
