// What players did in a match: weapons, who killed whom, damage, the result.

import { add, el, visible } from "../dom.js";
import { clock, number, words } from "../format.js";
import { clear, colour, sides } from "../colour.js";
import { lineType, plot, tip } from "../plot.js";
import { framed, table } from "../table.js";
import { matchAxis } from "./context.js";
import { items } from "./items.js";
import { moment, momentBox } from "./moment.js";

/**
 * The players of a match: [{name, client, player, chip(), at(key), list(key)}]. player is an index into the game's
 * players.
 */
export function playersOf(ctx, m) {
  const { columns, rows } = m.player_table ?? { columns: [], rows: [] };
  const at = Object.fromEntries(columns.map((c, i) => [c.key, i]));
  return rows.map((row) => {
    const name = row[at.name] ?? "client " + row[at.client_num];
    const player = m.game === ctx.gameNumber ? ctx.find(row[at.client_num], name) : undefined;
    return {
      row,
      name,
      client: row[at.client_num],
      player,
      chip: () => ctx.chip(player, name),
      at: (key) => row[at[key]] ?? null,
      list: (key) => row[at[key]]?.list ?? [],
    };
  });
}

/** Everything below the table of players. */
export function played(ctx, m, title) {
  const players = playersOf(ctx, m);
  return [
    weapons(players, title),
    kills(players, title),
    ...deeds(players, title),
    ...matrix(players, title),
    ...items(ctx, m, title),
    damage(ctx, m, title),
  ];
}

/** A table with a row for each player and a column for each of some things. */
function crossed(players, { caption, key, thing, cell, value, title, note }) {
  const names = [];
  for (const p of players)
    for (const o of p.list(key)) if (!names.includes(o[thing]) && value(o) !== null) names.push(o[thing]);
  if (!names.length) return null;
  const columns = [{ key: "name", type: "string" }, ...names.map((n) => ({ key: n, type: "number", name: words(n) }))];
  const at = new Map();
  const rows = players.map((p) => {
    const found = names.map((n) => p.list(key).find((o) => o[thing] === n));
    const row = [p.name, ...found.map((o) => (o ? value(o) : null))];
    at.set(row, { p, found });
    return row;
  });
  return el(
    "div",
    {},
    table(columns, rows, {
      caption,
      csv: { title: caption + " " + title },
      show: (v, c, row) => {
        const { p, found } = at.get(row);
        if (c.key === "name" && c === columns[0]) return p.chip();
        const o = found[columns.indexOf(c) - 1];
        return o && v !== null ? cell(o) : undefined;
      },
    }),
    note ? el("p", { class: "note", text: note }) : null,
  );
}

function weapons(players, title) {
  return crossed(players, {
    caption: "Accuracy by weapon",
    key: "weapons",
    thing: "weapon",
    title,
    value: (o) => o.accuracy ?? null,
    note: "As the game announced it last: the share of shots that hit, and how many shots there were.",
    cell: (o) =>
      el(
        "span",
        {
          title: [
            o.hits !== undefined ? `${o.hits} hits` : null,
            o.kills !== undefined ? `${o.kills} kills` : null,
            o.damage_given !== undefined ? `damage ${o.damage_given}` : null,
          ]
            .filter(Boolean)
            .join(", "),
        },
        number(o.accuracy, 0) + " %",
        o.shots !== undefined ? el("span", { class: "of", text: " of " + number(o.shots) }) : null,
      ),
  });
}

function kills(players, title) {
  return crossed(players, {
    caption: "Kills by means",
    key: "kills_by",
    thing: "means",
    title,
    value: (o) => o.kills,
    cell: (o) => number(o.kills),
  });
}

/** What games with classes, skills and the Force show. */
function deeds(players, title) {
  const count = (key, thing, number, caption, note) =>
    crossed(players, {
      caption,
      key,
      thing,
      title,
      note,
      value: (o) => o[number] ?? null,
      cell: (o) => (o[number] ? String(o[number]) : "·"),
    });
  return [
    count("kills_by_style", "style", "kills", "Kills with the light saber by style"),
    count(
      "force_powers",
      "power",
      "uses",
      "Powers of the Force used",
      "How often the snapshots show the player begin to use one. Of players who are seen by others, a push less" +
        " than a second after the one before does not show.",
    ),
    classes(players, title),
    count("skills", "skill", "level", "Skills at the end"),
  ];
}

/** Who played which class when, one under the other. */
function classes(players, title) {
  if (!players.some((p) => p.list("classes").length)) return null;
  const columns = [
    { key: "name", type: "string" },
    { key: "classes", type: "array", name: "classes, from when in the match" },
  ];
  const at = new Map();
  const rows = players.map((p) => {
    const row = [
      p.name,
      p
        .list("classes")
        .map((o) => `${words(o.class)} ${clock(Math.floor(o.start))}`)
        .join(", ") || null,
    ];
    at.set(row, p);
    return row;
  });
  return el(
    "div",
    {},
    table(columns, rows, {
      caption: "Classes over time",
      csv: { title: "classes " + title },
      show: (v, c, row) => (c === columns[0] ? at.get(row).chip() : undefined),
    }),
  );
}

/** Who killed whom: a line for each killer, a column for each victim. */
function matrix(players, title) {
  const killed = (a, b) => a.list("killed").find((o) => o.client_num === b.client)?.kills ?? 0;
  const most = Math.max(0, ...players.flatMap((a) => players.map((b) => killed(a, b))));
  if (!most || players.length < 3) return []; // of two, the table of players has it
  const columns = [{ key: "killer", type: "string" }, ...players.map((p) => ({ key: p.name, type: "integer" }))];
  const rows = players.map((a) => [a.name, ...players.map((b) => (a === b ? a.at("suicides") : killed(a, b)))]);
  const cell = (a, b) => {
    const n = a === b ? a.at("suicides") : killed(a, b);
    const box = el("td", {
      class: a === b ? "number self" : "number",
      text: n ? String(n) : a === b ? "" : "·",
      title: a === b ? `${a.name} died ${n} times without a killer` : `${a.name} killed ${b.name} ${n} times`,
    });
    if (n && a !== b) box.style.background = clear(colour("--cool-2"), 0.12 + (0.45 * n) / most);
    return box;
  };
  return [
    framed(
      "Who killed whom",
      { title: "who killed whom " + title, columns, rows },
      el(
        "table",
        { class: "matrix who-first" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col", text: "killer, victim" }),
            players.map((p) => el("th", { scope: "col" }, el("div", {}, p.chip()))),
          ),
        ),
        el(
          "tbody",
          {},
          players.map((a) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, a.chip()),
              players.map((b) => cell(a, b)),
            ),
          ),
        ),
      ),
      el("p", {
        class: "note",
        text: "Rows are killers, columns victims; in the diagonal, in brackets, deaths without a killer.",
      }),
    ),
  ];
}

/** How much damage each player had done, each time at which the game announced it. */
function damage(ctx, m, title) {
  if (!m.course?.damage?.length || m.game !== ctx.gameNumber) return null;
  const { from, damage: lines } = m.course;
  if (!lines.some((l) => l.points.length > 2)) return null; // one announcement: the table of players has it
  const box = momentBox();
  return [
    plot({
      title: `Damage done over time, ${title}`,
      height: 260,
      note:
        "As the game announced it: a mark is an announcement, and between two of them nothing is known. A click " +
        "on one shows the record there.",
      option: () => ({
        legend: {},
        tooltip: { trigger: "item", formatter: (p) => tip(clock(p.value[0]), [[p.seriesName, p.value[1]]]) },
        xAxis: matchAxis(m.course),
        yAxis: { type: "value", name: "damage" },
        series: lines.map((l) => {
          const mark = ctx.mark(l.player);
          return {
            name: visible(l.name),
            type: "line",
            symbol: mark.symbol,
            symbolSize: 6,
            color: mark.colour,
            lineStyle: { width: 2, type: lineType(mark) },
            data: l.points.map(([t, v]) => [t - from, v]),
          };
        }),
      }),
      on: { click: (p) => p.value && moment(ctx, box, from + p.value[0], ctx.frameAt(from + p.value[0])) },
      columns: [
        { key: "time", type: "number", unit: "s" },
        { key: "name", type: "string" },
        { key: "damage", type: "integer" },
      ],
      rows: () => lines.flatMap((l) => l.points.map(([t, v]) => [t, l.name, v])).sort((a, b) => a[0] - b[0]),
    }),
    box,
  ];
}

/** The result in large: two sides as a line, more as a table. */
export function result(ctx, m) {
  const scores = m.scores ?? [];
  if (!scores.length) return null;
  const players = playersOf(ctx, m);
  const side = (s) => {
    const team = Object.hasOwn(sides, s.name) ? sides[s.name] : null; // a player may be called "constructor"
    return team
      ? el("span", { class: "team-" + team, text: s.name })
      : (players.find((p) => p.name === s.name)?.chip() ?? visible(s.name));
  };
  if (scores.length > 2) {
    const rows = scores.map((s, i) => [s.score === undefined ? null : i + 1, s.name, s.score ?? null]);
    return el(
      "div",
      { class: "ranking" },
      m.winner
        ? el("p", { class: "result" }, side({ name: m.winner }), el("span", { class: "won", text: " won" }))
        : null,
      table(
        [
          { key: "place", type: "integer" },
          { key: "name", type: "string" },
          { key: "score", type: "integer" },
        ],
        rows,
        { caption: "Result", limit: 10, show: (v, c, row) => (c.key === "name" ? side({ name: row[1] }) : undefined) },
      ),
    );
  }
  const line = el("p", { class: "result" });
  scores.forEach((s, i) =>
    add(
      line,
      i ? el("span", { class: "against", text: " : " }) : null,
      i
        ? [el("strong", { text: s.score === undefined ? "?" : number(s.score) }), " ", side(s)]
        : [
            side(s),
            s.name === m.winner ? el("span", { class: "won", text: " won" }) : null,
            " ",
            el("strong", { text: s.score === undefined ? "?" : number(s.score) }),
          ],
    ),
  );
  return line;
}
