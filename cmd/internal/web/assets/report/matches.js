// A card for each match: result, scores over time, who played. Below, who is who.

import { add, button, el, visible, wire } from "../dom.js";
import { clock, number, upper, words } from "../format.js";
import { colour, gameText, seriesColour, sides } from "../colour.js";
import { axisTip, lineType, plot } from "../plot.js";
import { table } from "../table.js";
import { matchAxis } from "./context.js";
import { played, playersOf, result } from "./played.js";
import { moment, momentBox, onTime } from "./moment.js";
import { flagRuns } from "./flagruns.js";
import { races } from "./race.js";
import { shots } from "./shots.js";

const reasons = {
  timelimit: "the time was up",
  fraglimit: "frag limit",
  capturelimit: "capture limit",
  scorelimit: "score limit",
  roundlimit: "round limit",
  mercy: "mercy limit",
  overtime: "decided in overtime",
  sudden_death: "sudden death",
  forfeit: "somebody gave up",
  aborted: "aborted",
  restart: "restarted",
  map_change: "the map was changed",
  client_left: "the client left: what followed was not seen",
  recording_end: "the recording ends: what followed was not seen",
  unknown: "why it ended is not known",
};

// What a player did, in the order in which people ask for it.
const shown = [
  "name",
  "team",
  "score",
  "xp",
  "kills",
  "deaths",
  "suicides",
  "team_kills",
  "streak",
  "accuracy",
  "accuracy_seen",
  "damage_given",
  "damage_received",
  "flags_captured",
  "flags_taken",
  "flags_returned",
  "time_played",
  "speed",
  "distance",
];
const atFirst = 4;
const how = ["name", "deaths_by", "items"];
const named = { accuracy: "accuracy announced", accuracy_seen: "accuracy counted" };

export function matches(ctx) {
  const cards = ctx.file.matches.slice(0, atFirst).map((m) => card(ctx, m));
  const rest = ctx.file.matches.slice(atFirst);
  const more = el("div", {});
  if (rest.length) {
    const show = button(
      `Show ${rest.length} more`,
      () => {
        add(
          more,
          rest.map((m) => card(ctx, m)),
        );
        show.remove();
      },
      { class: "rest" },
    );
    more.append(show);
  }
  const parts = [ctx.file.matches.length > 1 ? overview(ctx.file.matches) : null, ...cards, more];
  const finished = ctx.game?.events.some((e) => e.event === "race_finish");
  if (!cards.length)
    parts.push(
      el("p", {
        class: "nothing",
        text: finished
          ? "No match: a race has finishes instead."
          : "No match: none begins or ends in what was read, or the game has none.",
      }),
    );
  parts.push(races(ctx), flagRuns(ctx));
  parts.push(people(ctx));
  return parts;
}

/** All matches as a table. */
function overview(list) {
  const columns = [
    { key: "match", type: "integer" },
    { key: "mode", type: "string" },
    { key: "map", type: "string" },
    { key: "winner", type: "string" },
    { key: "result", type: "string" },
    { key: "length", type: "number", name: "length" },
    { key: "why", type: "string", name: "how it ended" },
  ];
  const rows = list.map((m) => [
    m.match,
    m.mode || null,
    m.map || null,
    m.winner || null,
    (m.scores ?? [])
      .slice(0, 4)
      .map((s) => visible(s.name) + " " + (s.score ?? "?"))
      .join(", ") + (m.scores?.length > 4 ? ", …" : "") || null,
    m.duration === undefined ? null : m.duration / 1000,
    reasons[m.reason] ?? words(m.reason ?? "") ?? null,
  ]);
  return table(columns, rows, {
    caption: "Matches",
    limit: 12,
    csv: { title: "matches" },
    show: (v, c) => (c.key === "length" && v !== null ? clock(Math.floor(v)) : undefined),
  });
}

function card(ctx, m) {
  const title = upper([m.mode, m.map && "on " + m.map].filter(Boolean).join(" ") || "match");
  const here = m.course && m.game === ctx.gameNumber ? m.course.to - m.course.from : null;
  const minutes = m.duration === undefined ? "" : clock(Math.floor(m.duration / 1000));
  const facts = [
    m.winner || !(m.scores?.length > 1) ? null : ["nobody won, as far as it is known"],
    minutes ? [lengthOf(m, here, minutes)] : null,
    m.reason ? [reasons[m.reason] ?? words(m.reason)] : null,
    m.complete === false ? ["only a part of it is in the input"] : null,
    m.mod ? ["mod ", wire(m.mod)] : null,
    m.server
      ? ["server ", m.hostname ? [gameText(m.hostname, ctx.coded), " (", wire(m.server), ")"] : wire(m.server)]
      : null,
  ].filter(Boolean);
  const line = el("p", { class: "note" });
  facts.forEach((f, i) => add(line, i ? " · " : null, f));
  const box = el("article", { class: "card" }, el("h3", {}, wire(title)), result(ctx, m), line);
  if (m.course && m.game === ctx.gameNumber) {
    box.append(
      el(
        "div",
        { class: "tools" },
        button("Show this match only", () => ctx.look(m.course.from, m.course.to), { class: "small" }),
        button("Show everything", () => ctx.look(0, ctx.length), { class: "small" }),
      ),
    );
  }
  if (here !== null && m.course.scores?.some((s) => s.points.length > 1)) add(box, scores(ctx, m, title));
  if (m.player_table?.rows.length) add(box, players(ctx, m, title), played(ctx, m, title));
  if (here !== null) add(box, shots(ctx, m, title));
  return box;
}

/** How long a match was, and how much of it is in the input. */
function lengthOf(m, here, minutes) {
  const apart = here === null ? 0 : here - m.duration / 1000;
  if (Math.abs(apart) <= 2) return minutes + " long";
  return minutes + " by the clock of the match, " + clock(here) + (apart > 0 ? " with pauses" : " of it in the input");
}

function scores(ctx, m, title) {
  const { course } = m;
  const counted = course.kind === "kills";
  const what = counted ? "Kills less suicides" : "Score";
  const box = momentBox();
  /** The server's result of a team, if it sent one. */
  const official = (s) => (s.team ? m.scores?.find((r) => sides[r.name] === s.team) : undefined);
  const series = () =>
    course.scores.map((s, i) => {
      const last = official(s)?.score ?? s.points.at(-1)?.[1] ?? null;
      const mark = s.player === undefined ? null : ctx.mark(s.player);
      const ink = s.team ? colour("--team-" + s.team) : (mark?.colour ?? seriesColour(i));
      return {
        name: visible(s.name),
        type: "line",
        step: "end",
        symbol: "none",
        color: ink,
        lineStyle: { color: ink, width: 2, type: s.team === "blue" ? "dashed" : mark ? lineType(mark) : "solid" },
        data: [...s.points.map(([t, v]) => [t - course.from, v]), [course.to - course.from, last]],
      };
    });
  const figure = plot({
    title: `${what} over time, ${title}`,
    height: 230,
    note:
      (counted
        ? "Computed from observed kills; the official score is shown above and may differ."
        : "A line begins where the server first gave the score.") + " A click shows the record there.",
    option: () => ({
      legend: {},
      tooltip: axisTip(clock),
      xAxis: matchAxis(course),
      yAxis: { type: "value", name: "points", minInterval: 1 },
      series: series(),
    }),
    columns: [
      { key: "time", type: "number", unit: "s" },
      { key: "name", type: "string" },
      { key: "points", type: "integer" },
    ],
    rows: () => course.scores.flatMap((s) => s.points.map(([t, v]) => [t, s.name, v])).sort((a, b) => a[0] - b[0]),
  });
  figure.whenDrawn((chart) => onTime(chart, (t) => moment(ctx, box, course.from + t, ctx.frameAt(course.from + t))));
  return [figure, box];
}

function players(ctx, m, title) {
  const { columns, rows } = m.player_table;
  const pick = (keys) => {
    const order = keys.map((key) => columns.findIndex((c) => c.key === key)).filter((i) => i >= 0);
    return [order.map((i) => columns[i]), rows.map((row) => order.map((i) => row[i]))];
  };
  const teams = columns.findIndex((c) => c.key === "team");
  const free = rows.every((row) => row[teams] === "free" || row[teams] === null);
  const [score, xp] = ["score", "xp"].map((key) => columns.findIndex((c) => c.key === key));
  // Enemy Territory's score is the experience: one column for both.
  const experience =
    rows.some((row) => row[xp] !== null) && rows.every((row) => row[xp] === null || row[xp] === row[score]);
  const [plainly, cells] = pick(shown.filter((key) => (key !== "team" || !free) && (key !== "xp" || !experience)));
  const titles = experience ? { ...named, score: "score, XP" } : named;
  const what = plainly.map((c) => (titles[c.key] ? { ...c, name: titles[c.key] } : c));
  const who = new Map(playersOf(ctx, m).map((p, i) => [cells[i], p]));
  const [ways, counts] = pick(how);
  return el(
    "div",
    {},
    table(what, cells, {
      caption: "Who did what",
      csv: { title: "players " + title, columns, rows },
      show: (value, column, row) => {
        if (column.key === "name") return who.get(row).chip();
        if (column.key === "team" && sides[value]) return el("span", { class: "team-" + sides[value], text: value });
        if (typeof value === "number" && !Number.isInteger(value)) return number(value, value < 100 ? 1 : 0);
        return undefined;
      },
    }),
    el("p", {
      class: "note",
      text:
        "Deaths exclude suicides (falls, own rockets), which have their own column. A streak is the most kills " +
        "without dying. Speed and distance are of the time in which snapshots show the player." +
        (plainly.some((c, i) => c.key === "accuracy_seen" && cells.some((row) => row[i] !== null))
          ? " The accuracy counted is of the snapshots whose view was the player's."
          : ""),
    }),
    counts.some((row) => row.slice(1).some(Boolean))
      ? el(
          "details",
          { class: "behind how" },
          el("summary", { text: "How players died, and items that were picked up in view" }),
          table(ways, counts, { caption: "How" }),
        )
      : null,
  );
}

// Heads of the table of players, in the words of this page.
const heads = {
  kind: "known by",
  stream: "streams",
  client_num: "number",
  connects: "times joined",
  start: "first seen",
  end: "last seen",
};

/** Who is who. A player whom several streams show has one line here; the CSV has a line for each stream. */
function people(ctx) {
  const statistic = ctx.file.statistics.players;
  const box = el("article", { class: "card" }, el("h3", { text: "Who is who" }));
  const there = ctx.game?.players ?? [];
  for (const p of there.filter((p) => p.names?.length > 1)) {
    const line = el("p", {}, "Names over time: ");
    p.names.forEach((n, i) => add(line, i ? ", from " + clock(n.t) + " " : null, gameText(n.name, ctx.coded)));
    box.append(line);
  }
  const bots = there.filter((p) => p.bot && p.name_clean);
  if (bots.length)
    box.append(
      el(
        "p",
        {},
        "Played by the computer: ",
        bots.map((p, i) => [i ? ", " : null, gameText(p.name, ctx.coded)]),
        ".",
      ),
    );
  if (!statistic?.rows.length) {
    box.append(
      el("p", {
        class: "nothing",
        text: ctx.file.recording
          ? "A demo has no addresses; its players are in the time line."
          : "No client and no player was seen.",
      }),
    );
    return box;
  }
  const hidden = ctx.file.recording ? ["kind", "stream"] : [];
  const joins = statistic.columns.findIndex((c) => c.key === "connects");
  if (!statistic.rows.some((row) => row[joins])) hidden.push("connects"); // all were there before
  const kept = statistic.columns
    .map((c, i) => ({ ...c, name: heads[c.key], at: i }))
    .filter((c) => !hidden.includes(c.key))
    .sort((a, b) => Number(b.key === "names") - Number(a.key === "names"));
  const rows = joined(statistic).map((row) => kept.map((c) => row[c.at]));
  box.append(
    table(kept, rows, {
      caption: ctx.file.recording
        ? "Players that the server named"
        : "Clients with their addresses, and players that servers named",
      limit: 30,
      csv: { title: "players", columns: statistic.columns, rows: statistic.rows },
      show: (value, column) => {
        if (column.key === "names" && value) return gameText(value, ctx.coded);
        if (column.key === "kind") return value === "client" ? "own packets" : "the server";
        if (column.key === "connects") return value ? undefined : ""; // was there before
        return undefined;
      },
    }),
  );
  return box;
}

/** The rows with what several streams show of one player as one. */
function joined({ columns, rows }) {
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  const seen = new Map();
  const out = [];
  for (const row of rows) {
    const key = row[at.kind] === "seen" ? JSON.stringify([row[at.server], row[at.client_num], row[at.names]]) : null;
    const first = key && seen.get(key);
    if (!first) {
      const copy = [...row];
      if (key) seen.set(key, copy);
      out.push(copy);
      continue;
    }
    first[at.stream] += ", " + row[at.stream];
    first[at.connects] = Math.max(first[at.connects], row[at.connects]);
    if (row[at.start] !== null) first[at.start] = Math.min(first[at.start] ?? row[at.start], row[at.start]);
    if (row[at.end] !== null) first[at.end] = Math.max(first[at.end] ?? row[at.end], row[at.end]);
  }
  return out;
}
