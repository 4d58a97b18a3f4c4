// What can be done with the packet that is shown and with the list: marks, menus, exports, and going elsewhere.

import { Menu } from "./menu.js";

export class Actions {
  constructor(viewer, signal) {
    this.viewer = viewer;
    this.menu = new Menu({ label: "What to do with the packet", signal });
  }

  /** Marks the packet that is shown, or no longer. */
  mark(row = this.viewer.row) {
    if (row && !this.viewer.marks.toggle(row)) this.viewer.fail(new Error("At most 1,000 packets are marked."));
  }

  goMark(backwards) {
    const place = this.viewer.marks.next(this.viewer.row, backwards);
    if (place) this.viewer.go({ file: place[0], frame: place[1], filter: this.viewer.filter });
  }

  /** The menu of the packet under the pointer, or of the one that is shown. */
  async openMenu(e) {
    e.preventDefault();
    const line = e.target.closest?.(".row");
    if (line && line.place >= 0) await this.viewer.list.select(line.place, "click");
    const { row } = this.viewer;
    if (!row) return;
    const conversation = row.stream >= 0 && row.source;
    const many = this.viewer.marks.places.length;
    this.menu.open(
      e,
      [
        [this.viewer.marks.has(row) ? "Unmark (M)" : "Mark (M)", () => this.mark(row)],
        many ? ["Next mark (N)", () => this.goMark(false)] : null,
        many
          ? [
              "Show marked packets alone",
              () => this.viewer.filterBar.write(this.viewer.marks.filter(this.viewer.status.files)),
            ]
          : null,
        many ? ["Unmark all", () => this.viewer.marks.clear()] : null,
        conversation ? ["Follow the conversation (F)", () => this.viewer.panels.open("follow")] : null,
        conversation
          ? ["Show the conversation alone", () => this.viewer.filterBar.write(`stream == ${row.stream}`)]
          : null,
        row.stream >= 0 ? ["Show it in the replay (R)", () => this.viewer.panels.open("replay")] : null,
        [
          "Copy as JSON",
          async () =>
            navigator.clipboard
              ?.writeText(JSON.stringify(await this.viewer.carrier.ask("json", { row: row.row })))
              .catch(() => {}),
        ],
      ],
      this.viewer.list.lines.find((l) => l.place === this.viewer.list.selected) ?? this.viewer.list.element,
      this.viewer.list.element,
    );
  }

  /** The forms in which what the list shows can be saved. */
  openExports(e) {
    const of = this.viewer.filter ? "packets that match" : "all packets";
    const sorted = this.viewer.columns.sort;
    const order = sorted ? ", sorted as shown" : "";
    this.menu.open(
      { preventDefault: () => e.preventDefault() },
      [
        [`CSV: the columns of ${of}${order}`, () => this.save("csv")],
        [`JSON: all fields of ${of}${order}`, () => this.save("json", "ndjson")],
        this.viewer.status.demo
          ? null
          : [`pcapng: ${of}${sorted ? ", in the order of the capture" : ""}, for Wireshark`, () => this.save("pcapng")],
      ],
      this.viewer.exports,
    );
  }

  async save(form, suffix = form) {
    const name =
      this.viewer.status.files[0].name.replace(/[^\w.-]+/g, "_") + (this.viewer.filter ? "-filtered." : ".") + suffix;
    try {
      await this.viewer.carrier.download(
        { form, filter: this.viewer.filter, columns: this.viewer.columns.text, sort: this.viewer.columns.sort },
        name,
      );
    } catch (fault) {
      this.viewer.fail(fault);
    }
  }

  async goConversation(backwards) {
    if (!this.viewer.row) return;
    try {
      const found = await this.viewer.carrier.ask("next", { row: this.viewer.row.row, backwards: backwards ? 1 : "" });
      await this.viewer.goRow(found.row, "key");
    } catch {
      // there is none
    }
  }

  /** Asks for the number of a packet, and goes there. */
  askFrame() {
    const answer = prompt(
      this.viewer.status.demo ? "Go to message number" : "Go to packet number",
      this.viewer.row?.number ?? "",
    );
    if (answer !== null && /^\s*\d+\s*$/.test(answer))
      this.viewer.go({ frame: Number(answer), filter: this.viewer.filter, file: this.viewer.row?.file });
  }
}
