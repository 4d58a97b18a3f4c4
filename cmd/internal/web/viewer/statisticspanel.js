// The panel of statistics. Numbers of packets in their tables, and times in their plots, lead to packets.

import { button, el, replace, say, visible } from "../assets/dom.js";
import { unusual } from "../assets/report/moments.js";
import { table } from "../assets/table.js";
import { loadPlots, ofSpans, spanPlots } from "./plotpanel.js";

/** Shows the panel with a statistic; undefined: the first. */
export async function showStatistics(panels, z) {
  say(panels.title, "Statistics");
  const turn = panels.turn;
  const kinds = await panels.ask("statistics");
  if (turn !== panels.turn) return;
  const values = kinds.map((k) => (k.name === "io" ? "io,1" : k.name));
  const choice = el(
    "select",
    { class: "small", "aria-label": "Statistic", onchange: () => showStatistic(panels, choice.value) },
    kinds.map((k, i) => el("option", { value: values[i], text: `${k.name}: ${k.doc}` })),
  );
  if (z && !values.includes(z)) choice.append(el("option", { value: z, text: z }));
  choice.value = z ?? values[0];
  replace(panels.tools, choice);
  panels.focus();
  showStatistic(panels, choice.value);
}

function showStatistic(panels, z) {
  panels.z = z;
  panels.stop();
  panels.changed();
  replace(panels.body);
  say(panels.note, "counting");
  panels.watch(
    panels.turn,
    () => panels.ask("statistic", { z }),
    (answer) => {
      if (!answer.done) return void say(panels.note, `${Math.floor(100 * answer.part)} % counted`);
      say(panels.note, answer.fault ?? "");
      const box = el(
        "div",
        { class: "tables" },
        answer.tables.map((t) => linkedTable(panels, t)),
      );
      replace(panels.body, box);
      if (!answer.tables.some(ofSpans)) return;
      loadPlots().then(
        () => box.prepend(...answer.tables.flatMap((t) => spanPlots(t, (time) => panels.goTime(time)))),
        (fault) => say(panels.note, fault.message),
      );
    },
  );
}

/** A table whose rows show their conversation. */
function linkedTable(panels, t) {
  if (!t.rows.length) return el("p", { class: "nothing", text: `${t.name}: there is nothing to count.` });
  const { files, demo } = panels.status();
  const at = (key) => t.columns.findIndex((c) => c.key === key);
  const [stream, file] = [at("stream"), at("file")];
  const choose =
    stream < 0 || demo ? undefined : (row) => row[stream] !== null && panels.filter(`stream == ${row[stream]}`);
  const link = (value, of) =>
    button(
      String(value),
      (e) => {
        e.stopPropagation();
        panels.goFrame(value, of < 0 ? undefined : of);
      },
      { class: "plain link", "aria-label": `${demo ? "Message" : "Packet"} ${value}` },
    );
  const show = (value, column, row) => {
    if (value === null || value === undefined) return undefined;
    return /(^|_)frame$/.test(column.key)
      ? link(value, file < 0 ? -1 : files.findIndex((f) => f.file === row[file]))
      : undefined;
  };
  if (t.name === "moments" && files.length === 1) {
    return el(
      "div",
      {},
      unusual({
        file: { statistics: { moments: t }, recording: demo },
        client: () => undefined,
        show: (value, column) => (column.key === "frame" ? link(value, -1) : undefined),
      }),
      (t.notes ?? []).map((n) => el("p", { class: "note", text: visible(n) })),
    );
  }
  return el(
    "div",
    {},
    table(t.columns, t.rows, { caption: t.name, onRow: choose, show }),
    choose ? el("p", { class: "note", text: "A line shows its conversation in the list." }) : null,
    (t.notes ?? []).map((n) => el("p", { class: "note", text: visible(n) })),
  );
}
