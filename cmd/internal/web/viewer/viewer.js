// The three panes: the list of packets, the fields of one, its bytes. All that they show comes from the program.

import { add, button, el, replace, wire } from "../assets/dom.js";
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
      changed: () => this.place.write(this.state(), false),
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
    await this.go(this.place.read(), true);
    this.list.element.focus();
    this.poll();
  }

  /** Asks how far the inputs were read, until they are, and how far a filter is. */
  async poll() {
    try {
      while (!this.life.signal.aborted) {
        if (!this.status.done) this.takeStatus(await this.carrier.ask("status"));
        if (this.filter && !this.filterDone) {
          const page = await this.carrier.ask("rows", { from: 0, count: 0, filter: this.filter });
          this.takePage(page);
        }
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
    const first = !this.status;
    this.status = status;
    if (!this.filter) {
      this.list.grow(status.rows);
      this.takeFirst();
    }
    if (first) {
      const names = status.files.map((f) => f.name).join(", ");
      document.title = names + " · q3dissect";
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

  takePage(page) {
    this.filterDone = page.done;
    this.filterPart = page.part;
    this.filterFault = page.fault;
    this.list.grow(page.many);
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
    if (!this.nothing.hidden) this.nothing.textContent = emptyReason(this);
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
    const sort = this.columns.sort;
    const page = await this.carrier
      .ask("rows", { from, count, filter: this.filter, sort })
      .catch((fault) => this.refused(fault, sort));
    if (this.filter) this.takePage(page);
    if (sort && sort === this.columns.sort && page.sorted) this.isSorted = true;
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
    this.isSorted = false;
    if (!this.status) return;
    this.list.forget();
    this.place.write(this.state(), false);
    this.showStatus();
  }

  /** Asks whether the list is sorted; then it is fetched again, and the chosen packet is brought into view. */
  async watchSort() {
    const { sort } = this.columns;
    if (!sort || this.isSorted) return;
    try {
      const page = await this.carrier.ask("rows", { from: 0, count: 0, filter: this.filter, sort });
      if (!page.sorted || sort !== this.columns.sort) return;
      this.isSorted = true;
      this.list.forget();
      if (this.row) await this.showRow(this.row.row);
      this.showStatus();
    } catch (fault) {
      this.refused(fault, sort);
    }
  }

  /** Marks a place of the list as that of the packet that is shown. */
  async showRow(row) {
    const { row: at, exact } = await this.carrier.ask("place", { row, filter: this.filter, sort: this.columns.sort });
    if (exact) this.list.mark(at);
    return { at, exact };
  }

  marksChanged() {
    this.list.redraw();
    if (!this.status) return;
    this.place.write(this.state(), false);
    this.showStatus();
  }

  columnsChanged() {
    this.list.forget();
    if (this.status) this.place.write(this.state(), false);
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
    if (this.row?.row === row.row && this.record?.row === row.row) return;
    this.row = row;
    this.about(null);
    this.showStatus();
    this.place.write(this.state(), how === "click" || how === "link");
    this.panels.follows(row);
    this.onRow?.(row);
    try {
      const record = await this.carrier.ask("record", { row: row.row });
      if (this.row.row !== row.row) return;
      this.record = record;
      this.bytes.show(record);
      this.tree.show(record);
    } catch (fault) {
      this.fail(fault);
    }
  }

  point(field) {
    if (!field) return;
    this.about(field);
    this.bytes.light(field);
    this.place.write(this.state(), false);
  }

  /** Shows what a field is in the last line but one; null: none is chosen. */
  about(field) {
    replace(
      this.aboutLine,
      field
        ? aboutField(field, this.record)
        : el("span", { class: "note", text: "Choose a field to see what it means, and which bits it is." }),
    );
    this.aboutLine.title = this.aboutLine.textContent;
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

  /** Goes to what an address says. */
  async go(wanted, first = false) {
    if ("columns" in wanted) this.columns.set(wanted.columns);
    if ("sort" in wanted) this.columns.sortBy(wanted.sort);
    if ("marks" in wanted) this.marks.text = wanted.marks;
    if ((wanted.filter ?? "") !== this.filter || first) {
      const right = await this.filterBar.begin(wanted.filter ?? "");
      await this.setFilter(right ? (wanted.filter ?? "") : "", true);
    }
    if (wanted.field) this.tree.want(wanted.field);
    await this.goPacket(wanted, first);
    if ("panel" in wanted) this.panels.show(wanted);
  }

  /** Goes to the packet of an address. */
  async goPacket(wanted, first) {
    if (wanted.frame === undefined) {
      if (first && this.list.many) await this.list.select(0);
      else if (first) this.selectFirst = true;
      return;
    }
    if (this.row?.number === wanted.frame && (this.row?.file ?? 0) === (wanted.file ?? 0)) {
      if (wanted.field) this.tree.reveal(wanted.field);
      return;
    }
    try {
      const found = await this.find(wanted.file ?? 0, wanted.frame);
      await this.goRow(found.row, "address");
    } catch (fault) {
      this.fail(fault);
    }
  }

  /** Finds the row of a frame; while the inputs are read it may yet come. */
  async find(file, frame) {
    for (;;) {
      const { done } = this.status;
      try {
        const found = await this.carrier.ask("find", { file, number: frame });
        if (found.exact || done) return found;
      } catch (fault) {
        if (done) throw fault;
      }
      await new Promise((again) => setTimeout(again, 150));
      this.takeStatus(await this.carrier.ask("status"));
    }
  }

  /** Goes to a row, whatever the filter: one that does not fit it ends it. */
  async goRow(row, how = "link") {
    const { row: at, exact } = await this.carrier.ask("place", { row, filter: this.filter, sort: this.columns.sort });
    if (this.filter && !exact) {
      this.filterBar.show("");
      await this.setFilter("", true);
      return this.goRow(row, how);
    }
    this.list.show(at, true);
    await this.list.select(at, how);
  }

  // Filter

  async setFilter(text, quiet = false) {
    const before = this.row;
    if (this.filter && this.filter !== text && !this.filterDone)
      this.carrier.ask("stop", { job: this.filter }).catch(() => {});
    this.filter = text;
    this.filterDone = !text;
    this.isSorted = false;
    this.list.reset();
    this.panels.filtered();
    if (!text) {
      this.filterBar.progress(null);
      this.list.grow(this.status.rows);
    }
    // The address has the filter before the rows come, for a page that is loaded again meanwhile.
    if (!quiet) this.place.write(this.state(), true);
    await this.list.load(0);
    if (!quiet) {
      if (!before) return void (this.list.many ? this.list.select(0, "filter") : (this.selectFirst = true));
      const { row: at, exact } = await this.carrier.ask("place", {
        row: before.row,
        filter: text,
        sort: this.columns.sort,
      });
      if (exact) {
        this.list.selected = at;
        this.list.show(at, true);
      } else if (this.list.many) this.list.select(Math.min(at, this.list.many - 1), "filter");
      else this.selectFirst = true;
    }
    this.showStatus();
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
