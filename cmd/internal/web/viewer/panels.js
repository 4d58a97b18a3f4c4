// Panels beside the list: what happens in the game, one conversation, statistics. Their lines lead to packets.

import { button, el, replace, say } from "../assets/dom.js";
import { plural } from "../assets/format.js";
import { showConversation, showEvents } from "./eventspanel.js";
import { keep, recall } from "./memory.js";
import { fieldPlot, loadPlots } from "./plotpanel.js";
import { Players } from "./players.js";
import { showReplay } from "./replaypanel.js";
import { showStatistics } from "./statisticspanel.js";
import { VirtualList } from "./virtual.js";

export class Panels {
  /**
   * goRow(row), goFrame(frame, file): show a packet; filter(text): applies a filter, chosen() is the one that there
   * is; now(): the row that is shown; status(): of the inputs; changed(): another panel is shown; put(wide) puts the
   * panel below the list at full width, or beside it; report(): the page of the report; signal ends it.
   */
  constructor({ ask, report, goRow, goFrame, filter, now, status, chosen, changed, put, signal }) {
    Object.assign(this, { ask, report, goRow, goFrame, filter, now, status, chosen, changed, put });
    this.players = new Players(ask);
    this.wide = { statistics: true, replay: true, ...recall("wide", {}) }; // by panel
    this.title = el("h2", { id: "panel-title" });
    this.tools = el("div", { class: "panel-tools" });
    this.note = el("p", { class: "note", role: "status" });
    this.body = el("div", { class: "panel-body" });
    this.wideButton = button("full width", () => this.widen(!this.wide[this.shown]), { class: "small wide-button" });
    this.element = el(
      "section",
      { class: "panel pane", "aria-labelledby": "panel-title", hidden: true },
      el(
        "div",
        { class: "panel-head" },
        this.title,
        this.tools,
        this.wideButton,
        button("✕", () => this.close(), { class: "plain", "aria-label": "Close the panel" }),
      ),
      this.note,
      this.body,
    );
    const toggle = (name, label, key) =>
      button(label, () => (this.shown === name ? this.close() : this.open(name)), {
        "aria-pressed": "false",
        title: `${label} (${key})`,
        "data-panel": name,
      });
    this.buttons = [
      toggle("events", "events", "E"),
      toggle("follow", "follow", "F"),
      toggle("statistics", "statistics", "S"),
      toggle("replay", "replay", "R"),
    ];
    addEventListener(
      "keydown",
      (e) => {
        const name = { e: "events", f: "follow", s: "statistics", r: "replay" }[e.key];
        if (!name || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input, select, textarea, dialog")) return;
        e.preventDefault();
        this.open(name);
        this.focusWhenReady = true;
        this.focus();
      },
      { signal },
    );
  }

  close() {
    const had = this.element.contains(document.activeElement);
    this.shown = null;
    this.stop();
    this.element.hidden = true;
    this.put(false);
    this.figure?.stop?.();
    this.figure = null;
    this.mark();
    this.changed();
    if (had) document.getElementById("row")?.focus();
  }

  /** Shows the panel at full width below the list, or beside it, and the next time too. */
  widen(wide) {
    this.wide[this.shown] = wide;
    keep("wide", this.wide);
    this.put(wide);
    say(this.wideButton, wide ? "beside the list" : "full width");
  }

  /** Whoever still asks for what a panel shows sees that it is gone. */
  stop() {
    this.turn = {};
  }

  /** Puts the keys where the panel is used, once that is there, if a key opened it. */
  focus() {
    const target = this.body.querySelector(".virtual, .replay-stage") ?? this.tools.querySelector("select");
    if (!this.focusWhenReady || !target) return;
    this.focusWhenReady = false;
    target.focus({ preventScroll: true });
  }

  /** What stands in the address. */
  get state() {
    return {
      panel: this.shown,
      plot: this.shown === "plot" ? this.field : undefined,
      z: this.shown === "statistics" ? this.z : undefined,
    };
  }

  /** Shows what an address says. */
  show({ panel, plot, z }) {
    const wanted = { panel, plot: panel === "plot" ? plot : undefined, z: panel === "statistics" ? z : undefined };
    if (!panel || !["events", "follow", "statistics", "plot", "replay"].includes(panel) || (panel === "plot" && !plot))
      return void (this.shown && this.close());
    if (
      JSON.stringify(wanted) === JSON.stringify(this.state) ||
      (wanted.z === undefined && panel === this.shown && panel !== "plot")
    )
      return;
    this.open(panel, plot ?? z);
  }

  mark() {
    for (const b of this.buttons) b.setAttribute("aria-pressed", String(b.dataset.panel === this.shown));
  }

  /** Shows a panel. about: of plot the field, of statistics which one. */
  open(name, about) {
    this.shown = name;
    this.figure = null;
    this.focusWhenReady = false;
    this.stop();
    this.element.hidden = false;
    this.widen(!!this.wide[name]);
    replace(this.tools);
    replace(this.body);
    say(this.note, "");
    this.mark();
    this[name](about);
    this.changed();
  }

  /** The packet that is shown is another one. */
  follows(row) {
    this.figure?.follow?.(row);
  }

  /** The filter is another one: what depends on it is made again. */
  filtered() {
    if (this.shown === "plot") this.open("plot", this.field);
  }

  /** Lines that the program makes in the background. */
  lines({ label, question, args, draw, empty, noun = "line" }) {
    const turn = this.turn;
    const list = new VirtualList({
      id: "line",
      height: 22,
      label,
      make: () => el("div", { class: "line event", role: "row" }),
      draw: (line, item) => replace(line, item ? draw(item, line) : null),
      fetch: async (from, count) => {
        const answer = await this.ask(question, { ...args, from, count });
        return { many: answer.many, items: answer.lines };
      },
      choose: (_, item) => this.goRow(item.row),
    });
    this.list = list;
    replace(this.body, list.element);
    this.focus();
    list.reset();
    let placed = false;
    this.watch(
      turn,
      () => this.ask(question, { ...args, from: 0, count: 0 }),
      (answer) => {
        list.grow(answer.many);
        const row = this.now()?.row;
        if (!placed && row !== undefined && answer.done) {
          placed = true;
          list.lastUpTo(row).then((place) => list.selected < 0 && place >= 0 && list.mark(place));
        }
        const found = answer.many ? plural(answer.many, noun) : empty;
        const soFar = `${plural(answer.many, noun)} so far, ${Math.floor(100 * answer.part)} % read`;
        say(this.note, answer.fault || (answer.done ? found : soFar));
      },
    );
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
    showEvents(this);
  }

  follow() {
    showConversation(this);
  }

  statistics(z) {
    showStatistics(this, z);
  }

  replay() {
    showReplay(this);
  }

  /** Shows the packet of a time. */
  async goTime(time) {
    try {
      const found = await this.ask("when", { file: this.now()?.file ?? 0, time });
      this.goRow(found.row);
    } catch (fault) {
      say(this.note, fault.message);
    }
  }

  async plot(field) {
    this.field = field;
    say(this.title, "Plot");
    say(this.note, "reading");
    const turn = this.turn;
    const paper = el("div", { class: "tables" });
    replace(this.body, paper);
    let drawn = -1;
    try {
      await Promise.all([loadPlots(), this.players.known().catch(() => {})]); // without players streams have numbers
      if (turn !== this.turn) return;
    } catch (fault) {
      return void say(this.note, fault.message);
    }
    this.watch(
      turn,
      () => this.ask("plot", { field, filter: this.chosen() }),
      (answer) => {
        const notes = [
          answer.fault,
          answer.done ? null : `${Math.floor(100 * answer.part)} % read`,
          this.chosen() ? "of the packets that match the filter" : null,
        ];
        say(this.note, notes.filter(Boolean).join(", "));
        if (!answer.done && answer.points < 2 * drawn) return; // not again for every few
        drawn = answer.points;
        this.figure = fieldPlot(answer, {
          files: this.status().files,
          players: this.players,
          goRow: (row) => this.goRow(row),
          now: () => this.now(),
          height: Math.max(190, this.body.clientHeight - 110),
        });
        replace(paper, this.figure);
      },
    );
  }
}
