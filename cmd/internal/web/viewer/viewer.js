// The three panes: the list of packets, the fields of one, its bytes. All that they show comes from the program.

import { add, button, el, hint, replace, say, wire } from "../assets/dom.js";
import { aboutField, emptyReason, statusParts } from "./about.js";
import { Actions } from "./actions.js";
import { BytesPane } from "./bytes.js";
import { Columns } from "./columns.js";
import { divider } from "./divider.js";
import { FilterBar } from "./filter.js";
import { Help } from "./help.js";
import { pressKey } from "./keys.js";
import { Marks } from "./marks.js";
import { Panels } from "./panels.js";
import { Place } from "./place.js";
import { Strip } from "./strip.js";
import { Travel } from "./travel.js";
import { FieldTree } from "./tree.js";
import { VirtualList } from "./virtual.js";

/** Builds the viewer in an element and begins to ask; one that was there ends. extra: elements for the head. */
export function startViewer(root, carrier, extra = []) {
  globalThis.viewer?.end();
  return (globalThis.viewer = new Viewer(root, carrier, extra)); // for the console
}

class Viewer {
  constructor(root, carrier, extra) {
    this.carrier = carrier;
    this.life = new AbortController(); // of what listens to the whole page
    const { signal } = this.life;
    this.row = null; // of the list, that is selected
    this.record = null;
    this.status = null;
    this.filter = "";
    this.marks = new Marks(() => this.marksChanged());
    this.columns = new Columns({
      ask: carrier.ask,
      changed: () => this.columnsChanged(),
      sorted: () => this.sortChanged(),
      marked: (row) => this.marks.has(row),
      fail: (fault) => this.fail(fault),
    });
    this.actions = new Actions(this, signal);
    this.travel = new Travel(this);
    this.place = new Place((wanted) => this.go(wanted), signal);
    this.list = new VirtualList({
      id: "row",
      height: 22,
      label: "Packets",
      make: () => this.columns.makeRow(),
      draw: (line, row) => this.columns.draw(line, row),
      fetch: (from, count) => this.fetchRows(from, count),
      choose: (place, row, how) => this.choose(row, how),
    });
    this.tree = new FieldTree({
      signal,
      point: (field) => this.point(field),
      apply: (how, field) => this.filterBar.apply(how, field),
      column: (name) => this.columns.add(name),
      plot: (name) => this.panels.open("plot", name),
    });
    this.bytes = new BytesPane({ point: (field) => this.tree.reveal(field.path, true) });
    this.filterBar = new FilterBar({
      ask: carrier.ask,
      set: (text) => this.setFilter(text),
      stop: () => this.stopFilter(),
    });
    this.panels = new Panels({
      signal,
      ask: carrier.ask,
      put: (wide) => this.putPanel(wide),
      goRow: (row) => this.goRow(row),
      goFrame: (frame, file) => this.go({ frame, filter: this.filter, file: file ?? this.row?.file }),
      filter: (text) => this.filterBar.write(text),
      now: () => this.row,
      status: () => this.status,
      chosen: () => this.filter,
      changed: () => this.write(),
    });
    this.help = new Help();
    this.build(root, extra);
    addEventListener("keydown", (e) => pressKey(this, e), { signal });
    this.begin();
  }

  /** Stops asking and listening: something else takes the page. */
  end() {
    this.life.abort();
    this.panels.stop();
  }

  build(root, extra) {
    this.names = el("span", { class: "files" });
    this.statusLine = el("p", { class: "status", role: "status", "aria-live": "polite" });
    this.aboutLine = el("p", { class: "about", role: "status", "aria-label": "About the field" });
    this.strip = new Strip({
      ask: (parts) => this.carrier.ask("marks", { parts }),
      chosen: (part) =>
        !this.filter && !this.columns.sort && this.list.moveTo(part * this.status.rows - this.list.visible / 2),
    });
    this.list.element.addEventListener("contextmenu", (e) => this.actions.openMenu(e));
    const exports = button("export", (e) => this.actions.openExports(e), {
      "aria-haspopup": "menu",
      title: "Save what the list shows (X)",
    });
    const head = el(
      "header",
      {},
      el("h1", { text: "q3dissect" }),
      this.names,
      extra,
      this.filterBar.element,
      el(
        "nav",
        { "aria-label": "Panels" },
        this.panels.buttons,
        (this.exports = exports),
        button("?", () => this.help.open(), { title: "Keys (?)", "aria-label": "Keys" }),
      ),
    );
    this.list.element.setAttribute("aria-owns", this.columns.head.id); // the heads are above what scrolls
    this.nothing = el("p", { class: "nothing none-shown", role: "status", hidden: true });
    const part = (element, name) => ({ set: (to) => element.style.setProperty(name, to), within: () => element });
    this.upper = el("div", { class: "upper" });
    this.lower = el("div", { class: "lower" });
    this.panes = el("main", { class: "panes" });
    add(
      this.upper,
      el(
        "section",
        { class: "list pane", "aria-label": "Packets" },
        this.columns.head,
        el("div", { class: "rows" }, this.list.element, this.strip.element, this.nothing),
      ),
      divider({
        orientation: "vertical",
        label: "Width of the list beside a panel",
        part: 60,
        ...part(this.upper, "--rows"),
      }),
      this.panels.element,
    );
    add(
      this.lower,
      this.tree.element,
      divider({ orientation: "vertical", label: "Width of the fields", part: 50, ...part(this.lower, "--tree") }),
      this.bytes.element,
    );
    add(
      this.panes,
      this.upper,
      divider({ orientation: "horizontal", label: "Height of the list", part: 45, ...part(this.panes, "--list") }),
      this.lower,
    );
    replace(
      root,
      head,
      this.panes,
      el("footer", {}, this.aboutLine, this.statusLine),
      this.help.element,
      this.actions.menu.element,
    );
  }

  /** Puts the panel beside the list, or at full width below it, where the fields and bytes were. */
  putPanel(wide) {
    const to = wide ? this.panes : this.upper;
    if (this.panels.element.parentElement !== to) to.append(this.panels.element);
    this.lower.hidden = wide;
    this.panels.element.classList.toggle("wide", wide);
  }

  async begin() {
    try {
      this.takeStatus(await this.carrier.ask("status"));
    } catch (fault) {
      return this.fail(fault);
    }
    if (this.life.signal.aborted) return;
    await this.go(this.place.read());
    this.list.element.focus();
    this.poll();
  }

  /** Asks how far the inputs were read, until they are, and how far a filter is. */
  async poll() {
    try {
      while (!this.life.signal.aborted) {
        if (!this.status.done) this.takeStatus(await this.carrier.ask("status"));
        if (this.filter && !this.filterDone) await this.askFilter();
        await this.fillColumns();
        await this.watchSort().catch(() => {}); // a fault is in the last line
        await new Promise((done) =>
          setTimeout(done, this.status.done && (!this.filter || this.filterDone) ? 400 : 150),
        );
      }
    } catch (fault) {
      this.fail(fault);
    }
  }

  takeStatus(status) {
    if (this.life.signal.aborted) return; // the page shows something else
    const first = !this.status;
    this.status = status;
    if (!this.filter) {
      this.list.grow(status.rows);
      this.takeFirst();
    }
    if (first) {
      const names = status.files.map((f) => f.name).join(", ");
      say(document, names + " · q3dissect");
      replace(this.names, wire(names));
      document.body.classList.toggle("demo", !!status.demo);
      document.body.classList.toggle("several", status.files.length > 1);
    }
    if (status.done) this.milestone("all rows");
    if (status.done || status.rows > 20 * (this.stripped ?? 0)) {
      this.stripped = status.rows;
      this.strip.draw();
    }
    this.showStatus();
  }

  /** Asks how far the filter is. */
  async askFilter() {
    const { filter } = this;
    const page = await this.carrier.ask("rows", { from: 0, count: 0, filter });
    if (filter === this.filter) this.takePage(page);
  }

  takePage(page) {
    if (this.filterDone && !page.done) return; // an older answer
    this.filterDone = page.done;
    this.filterPart = page.part;
    this.filterFault = page.fault;
    this.list.grow(Math.max(page.many, this.list.many));
    this.filterBar.progress(page);
    this.showStatus();
    this.takeFirst();
  }

  /** Selects the first row once there is one, if it is wanted. */
  takeFirst() {
    if (!this.selectFirst || !this.list.many) return;
    this.selectFirst = false;
    this.list.select(0, "filter");
  }

  /** Marks in the browser's time line when something was seen for the first time. */
  milestone(name) {
    if (performance.getEntriesByName(name).length) return;
    requestAnimationFrame(() => setTimeout(() => performance.getEntriesByName(name).length || performance.mark(name)));
  }

  /** Says why the list is empty. */
  showNothing() {
    this.nothing.hidden = this.list.many > 0 || !(this.filter ? this.filterDone : this.status.done);
    if (!this.nothing.hidden) say(this.nothing, emptyReason(this));
  }

  showStatus() {
    if (!this.status) return;
    this.showNothing();
    replace(
      this.statusLine,
      statusParts(this).join(" · "),
      this.status.errors?.map((text) => el("span", { class: "severity-error", text: " " + text })),
    );
  }

  // Rows

  async fetchRows(from, count) {
    const {
      filter,
      columns: { sort },
    } = this;
    const page = await this.carrier
      .ask("rows", { from, count, filter, sort })
      .catch((fault) => this.refused(fault, sort));
    if (filter === this.filter) {
      if (filter) this.takePage(page);
      if (sort && sort === this.columns.sort) {
        this.unsorted ||= !page.sorted;
        this.takeOrder(page);
      }
    }
    await this.columns.fill(page.rows);
    if (page.rows.length) this.milestone("first rows");
    return { many: page.many, done: page.done, items: page.rows };
  }

  /** An order that is refused ends, and the list is that of the file. */
  refused(fault, sort) {
    if (sort && sort === this.columns.sort && !fault.filter) {
      this.columns.sortBy("");
      this.fail(fault);
    }
    throw fault;
  }

  /** The list is to be sorted by another column: until it is, it has the order of the file. */
  sortChanged() {
    this.isSorted = this.unsorted = false;
    if (!this.status) return;
    this.list.forget();
    this.write();
    this.showStatus();
  }

  /** An answer is sorted, or not yet. Once it is, earlier rows are fetched again, and the chosen packet is shown. */
  takeOrder({ sorted }) {
    if (!sorted === !this.isSorted) return;
    this.isSorted = !!sorted;
    if (!sorted) return; // it was asked for earlier: watchSort() has its rows fetched again
    if (this.unsorted) this.list.forget();
    this.unsorted = false;
    if (this.row) this.showRow(this.row.row).catch((fault) => this.fail(fault));
    this.showStatus();
  }

  /** Asks whether the list is sorted. */
  async watchSort() {
    const {
      filter,
      columns: { sort },
    } = this;
    if (!sort || this.isSorted) return;
    try {
      const page = await this.carrier.ask("rows", { from: 0, count: 0, filter, sort });
      if (sort === this.columns.sort && filter === this.filter) this.takeOrder(page);
    } catch (fault) {
      this.refused(fault, sort);
    }
  }

  /** Marks a place of the list as that of the packet that is shown. */
  async showRow(row) {
    const { sort } = this.columns;
    const { row: at, exact, left } = await this.travel.placeOf(row);
    if (exact && !left && sort === this.columns.sort && row === this.row.row) this.list.mark(at);
  }

  marksChanged() {
    this.list.redraw();
    if (!this.status) return;
    this.write();
    this.showStatus();
  }

  columnsChanged() {
    this.list.forget();
    this.write();
  }

  /** Asks again for the values of columns that were not known when their rows came. */
  async fillColumns() {
    const rows = this.columns.missing(this.list.shown);
    if (!rows.length) return;
    await this.columns.fill(rows);
    this.list.redraw();
  }

  // Selection

  async choose(row, how) {
    if (this.row?.row === row.row && this.wanted === row.row) return;
    this.row = row;
    this.wanted = row.row; // its record is shown or asked for
    const turn = (this.turn = {});
    this.about(null);
    this.showStatus();
    this.write(how === "click" || how === "link");
    this.panels.follows(row);
    this.onRow?.(row);
    try {
      const record = await this.carrier.ask("record", { row: row.row });
      if (turn !== this.turn) return;
      this.record = record;
      this.bytes.show(record);
      this.tree.show(record);
    } catch (fault) {
      if (turn === this.turn) this.wanted = null;
      this.fail(fault);
    }
  }

  point(field) {
    if (!field) return;
    this.about(field);
    this.bytes.light(field);
    this.write();
  }

  /** Shows what a field is in the last line but one; null: none is chosen. */
  about(field) {
    replace(
      this.aboutLine,
      field
        ? aboutField(field, this.record)
        : el("span", { class: "note", text: "Choose a field to see what it means, and which bits it is." }),
    );
    hint(this.aboutLine, this.aboutLine.textContent);
  }

  state() {
    return {
      frame: this.row?.number,
      file: this.row?.file || undefined,
      field: this.tree.path,
      filter: this.filter,
      columns: this.columns.text,
      sort: this.columns.sort,
      marks: this.marks.text,
      ...this.panels.state,
    };
  }

  /** Writes what is shown into the address, but not half of an address. step: back leads to what was shown before. */
  write(step = false) {
    if (this.status && !this.travel.arriving) this.place.write(this.state(), step);
  }

  /** Goes to what an address says. */
  go(wanted) {
    return this.travel.go(wanted);
  }

  /** Goes to a row, whatever the filter. */
  goRow(row, how) {
    return this.travel.goRow(row, how);
  }

  // Filter

  async setFilter(text, quiet = false) {
    const before = this.row;
    const turn = (this.filtering = {}); // another filter may come while this one's rows are asked for
    this.selectFirst = false;
    if (this.filter && this.filter !== text && !this.filterDone)
      this.carrier.ask("stop", { job: this.filter }).catch(() => {});
    this.filter = text;
    this.filterDone = !text;
    this.isSorted = this.unsorted = false;
    this.list.reset();
    this.panels.filtered();
    if (!text) {
      this.filterBar.progress(null);
      this.list.grow(this.status.rows);
    }
    // The address has the filter before the rows come, for a page that is loaded again meanwhile.
    if (!quiet) this.write(true);
    await this.list.load(0);
    if (turn !== this.filtering) return;
    if (!quiet) await this.choosePlace(before, () => turn === this.filtering && this.list.selected < 0);
    this.showStatus();
  }

  /** Chooses the packet that was shown before the filter, or its neighbour, while none is chosen. */
  async choosePlace(before, open) {
    if (!open()) return;
    if (!before) return void (this.list.many ? this.list.select(0, "filter") : (this.selectFirst = true));
    const { row: at, exact } = await this.travel.placeOf(before.row);
    if (!open()) return;
    if (exact) this.list.mark(at);
    else if (this.list.many) this.list.select(Math.min(at, this.list.many - 1), "filter");
    else this.selectFirst = true;
  }

  stopFilter() {
    this.carrier.ask("stop", { job: this.filter }).catch(() => {});
    this.filterDone = true;
    this.filterBar.progress(null);
  }

  fail(fault) {
    if (this.life.signal.aborted) return;
    replace(this.statusLine, el("span", { class: "severity-error", text: fault.message }));
  }
}
