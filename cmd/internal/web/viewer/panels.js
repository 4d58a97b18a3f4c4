// Panels beside the list: what happens in the game, one conversation, statistics. Their lines lead to packets.

import { button, el, replace, visible, wire } from "../assets/dom.js";
import { number, plural } from "../assets/format.js";
import { table } from "../assets/table.js";
import { VirtualList } from "./virtual.js";

export class Panels {
  constructor({ ask, goRow, filter, now }) {
    Object.assign(this, { ask, goRow, filter, now });
    this.title = el("h2", { id: "panel-title" });
    this.tools = el("div", { class: "panel-tools" });
    this.note = el("p", { class: "note", role: "status" });
    this.body = el("div", { class: "panel-body" });
    this.element = el("section", { class: "panel pane", "aria-labelledby": "panel-title", hidden: true },
      el("div", { class: "panel-head" }, this.title, this.tools, button("✕", () => this.close(), { class: "plain", "aria-label": "Close the panel" })), this.note, this.body);
    const toggle = (name, label, key) => button(label, () => (this.shown === name ? this.close() : this.open(name)), { "aria-pressed": "false", title: `${label} (${key})`, "data-panel": name });
    this.buttons = [toggle("events", "events", "E"), toggle("follow", "follow", "F"), toggle("statistics", "statistics", "S")];
    addEventListener("keydown", (e) => {
      const name = { e: "events", f: "follow", s: "statistics" }[e.key];
      if (!name || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input, select, textarea, dialog")) return;
      e.preventDefault();
      this.open(name);
    });
  }

  close() {
    this.shown = null;
    this.turn = {};
    this.element.hidden = true;
    this.mark();
  }

  mark() {
    for (const b of this.buttons) b.setAttribute("aria-pressed", String(b.dataset.panel === this.shown));
  }

  open(name) {
    this.shown = name;
    this.turn = {}; // whoever is still asking for another panel sees that it is gone
    this.element.hidden = false;
    replace(this.tools);
    replace(this.body);
    this.note.textContent = "";
    this.mark();
    this[name]();
  }

  /** Lines that the program makes in the background. */
  lines({ label, question, args, draw, empty }) {
    const turn = this.turn;
    const list = new VirtualList({
      id: "line", height: 22, label,
      make: () => el("div", { class: "line event", role: "row" }),
      draw: (line, item) => replace(line, item ? draw(item) : null),
      fetch: async (from, count) => {
        const answer = await this.ask(question, { ...args, from, count });
        return { many: answer.many, items: answer.lines };
      },
      choose: (_, item) => this.goRow(item.row),
    });
    replace(this.body, list.element);
    list.reset();
    this.watch(turn, () => this.ask(question, { ...args, from: 0, count: 0 }), (answer) => {
      list.grow(answer.many);
      this.note.textContent = answer.fault ? answer.fault : answer.done ? (answer.many ? plural(answer.many, "line") : empty) : `${number(answer.many)} so far, ${Math.floor(100 * answer.part)} % read`;
    });
  }

  /** Asks until the answer is complete or another panel is shown. */
  async watch(turn, ask, take) {
    try {
      for (;;) {
        const answer = await ask();
        if (turn !== this.turn) return;
        take(answer);
        if (answer.done) return;
        await new Promise((again) => setTimeout(again, 200));
      }
    } catch (fault) {
      if (turn === this.turn) replace(this.note, el("span", { class: "severity-error", text: fault.message }));
    }
  }

  events() {
    this.title.textContent = "Events";
    this.lines({
      label: "Events", question: "events", args: {}, empty: "Nothing happens in the games of these inputs, or they are not known to the end.",
      draw: ({ line }) => [cell("at", line.time_relative !== undefined ? line.time_relative.toFixed(3) : line.server_time !== undefined ? (line.server_time / 1000).toFixed(3) : ""),
        cell("kind", String(line.event ?? "").replaceAll("_", " ")), cell("what", line.info ?? "")],
    });
  }

  follow() {
    const row = this.now();
    if (!row || row.stream < 0) {
      this.title.textContent = "Conversation";
      this.note.textContent = "Choose a packet of a conversation first.";
      return;
    }
    this.title.textContent = row.source ? `Conversation ${row.stream}` : "Recording";
    if (row.source) replace(this.tools, button("as filter", () => this.filter(`stream == ${row.stream}`), { class: "small" }));
    this.lines({
      label: "Conversation", question: "follow", args: { file: row.file ?? 0, stream: row.stream }, empty: "Nothing was said.",
      draw: ({ line }) => [cell("at", line.time !== undefined ? line.time.toFixed(3) : String(line.frame)), cell("kind " + (line.from ?? ""), line.from ?? ""), cell("what", line.text ?? "")],
    });
  }

  async statistics() {
    this.title.textContent = "Statistics";
    const kinds = await this.ask("statistics");
    const choice = el("select", { class: "small", "aria-label": "Statistic", onchange: () => this.statistic(choice.value) },
      kinds.map((k) => el("option", { value: k.name === "io" ? "io,1" : k.name, text: `${k.name}: ${k.doc}` })));
    replace(this.tools, choice);
    this.statistic(choice.value);
  }

  statistic(z) {
    this.turn = {};
    replace(this.body);
    this.note.textContent = "counting";
    this.watch(this.turn, () => this.ask("statistic", { z }), (answer) => {
      if (!answer.done) return void (this.note.textContent = `${Math.floor(100 * answer.part)} % counted`);
      this.note.textContent = answer.fault ?? "";
      replace(this.body, el("div", { class: "tables" }, answer.tables.map((t) => this.table(t))));
    });
  }

  table(t) {
    if (!t.rows.length) return el("p", { class: "nothing", text: `${t.name}: there is nothing to count.` });
    const stream = t.columns.findIndex((c) => c.key === "stream");
    const choose = stream < 0 ? undefined : (row) => row[stream] !== null && this.filter(`stream == ${row[stream]}`);
    return el("div", {}, table(t.columns, t.rows, { caption: t.name, onRow: choose, show: (value, column) => (/(port|stream|frame|version|number)$/.test(column.key) && value !== null ? String(value) : undefined) }),
      choose ? el("p", { class: "note", text: "A line shows its conversation in the list." }) : null, (t.notes ?? []).map((n) => el("p", { class: "note", text: visible(n) })));
  }
}

function cell(name, text) {
  return el("span", { class: "cell " + name, role: "gridcell" }, wire(text));
}
