// The three panes: the list of packets, the fields of one, its bytes. All that they show comes from the program.

import { el, hint, replace, say, wire } from "../assets/dom.js";
import { aboutField, emptyReason, statusParts } from "./about.js";
import { Actions } from "./actions.js";
import { BytesPane } from "./bytes.js";
import { Columns } from "./columns.js";
import { FilterBar } from "./filter.js";
import { Help } from "./help.js";
import { pressKey } from "./keys.js";
import { layOut } from "./layout.js";
import { Marks } from "./marks.js";
import { Order } from "./order.js";
import { Panels } from "./panels.js";
import { Place } from "./place.js";
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
    this.order = new Order(this);
    this.columns = new Columns({
      ask: carrier.ask,
      changed: () => this.columnsChanged(),
      sorted: () => this.order.changed(),
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
      again: () => this.again(),
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
      report: carrier.report,
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
    layOut(this, root, extra);
    addEventListener("keydown", (e) => pressKey(this, e), { signal });
    this.begin();
  }

  /** Stops asking and listening: something else takes the page. */
  end() {
    this.life.abort();
    this.panels.stop();
  }

  /** Whether the list is sorted by the chosen column. */
  get isSorted() {
    return this.order.sorted;
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
        await this.order.watch().catch(() => {}); // a fault is in the last line
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
      .catch((fault) => this.order.refused(fault, sort));
    if (filter === this.filter) {
      if (filter) this.takePage(page);
      this.order.takeRows(page, sort);
    }
    await this.columns.fill(page.rows);
    if (page.rows.length) this.milestone("first rows");
    return { many: page.many, done: page.done, items: page.rows };
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
      const record = await this.carrier.ask("record", { row: row.row, ...(this.tree.framing && { framing: 1 }) });
      if (turn !== this.turn) return;
      this.record = record;
      this.bytes.show(record);
      this.tree.show(record);
    } catch (fault) {
      if (turn === this.turn) this.wanted = null;
      this.fail(fault);
    }
  }

  /** Asks for the record that is shown once more. */
  again() {
    this.wanted = null;
    if (this.row) this.choose(this.row);
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
    this.order.begin();
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
