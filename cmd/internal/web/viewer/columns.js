// Columns of the list: those that it always has, and fields that the user chose. Values of fields are read by the program
// in the background, so they may come after the rows.

import { button, el, replace, visible, wire } from "../assets/dom.js";

const always = [
  { key: "number", name: "No." },
  { key: "time", name: "Time" },
  { key: "source", name: "Source", class: "peer" },
  { key: "destination", name: "Destination", class: "peer" },
  { key: "protocol", name: "Protocol" },
  { key: "length", name: "Length" },
];
const arrows = { client_to_server: "→", server_to_client: "←" };
const severities = { note: "ℹ", warning: "⚠", error: "✖" };

export class Columns {
  /** changed() is called when there are other columns; fail(fault) when one is refused. */
  constructor({ ask, changed, fail }) {
    Object.assign(this, { ask, changed, fail });
    this.chosen = []; // names of fields
    this.head = el("div", { class: "heads", role: "row", id: "heads" });
    this.drawHead();
  }

  get text() {
    return this.chosen.join(",");
  }

  /** Shows the columns of an address: names with commas between them. */
  set(text) {
    const names = [...new Set((text ?? "").split(",").filter(Boolean))].slice(0, 8);
    if (names.join(",") === this.text) return;
    this.chosen = names;
    this.drawHead();
    this.changed();
  }

  add(name) {
    this.set([...this.chosen, name].join(","));
  }

  remove(name) {
    this.set(this.chosen.filter((c) => c !== name).join(","));
  }

  drawHead() {
    const cell = (c, ...inside) => el("span", { class: "cell " + (c.class ?? c.key), role: "columnheader" }, inside);
    replace(this.head, always.map((c) => cell(c, c.name)),
      this.chosen.map((name) => cell({ class: "own" }, el("span", { title: name, text: lastPart(name) }), button("✕", () => this.remove(name), { class: "plain", "aria-label": `Remove the column ${name}` }))),
      cell({ key: "info" }, "Info"));
    document.documentElement.style.setProperty("--own-columns", this.chosen.map((name) => Math.min(24, Math.max(10, lastPart(name).length + 4)) + "ch").join(" "));
  }

  makeRow() {
    return el("div", { class: "line row", role: "row" });
  }

  /** Fills the element of a row; row is undefined while it is fetched. */
  draw(line, row) {
    line.className = "line row" + (row ? ` ${row.direction ?? ""} ${row.severity ? "has-" + row.severity : ""}` : " waiting") +
      (line.getAttribute("aria-selected") === "true" ? " selected" : "");
    const cell = (name, ...inside) => el("span", { class: "cell " + name, role: "gridcell" }, inside);
    replace(line, always.map((c) => cell(c.class ?? c.key, row ? this.content(c.key, row) : "")),
      this.chosen.map((name) => cell("own", row ? wire(row.values?.[name] ?? "…", { title: row.values?.[name] ? visible(row.values[name]) : null }) : "")),
      cell("info", row ? [row.severity ? el("span", { class: "sign", title: row.severity, role: "img", "aria-label": row.severity, text: severities[row.severity] + " " }) : null, wire(row.info)] : "…"));
  }

  content(key, row) {
    if (key !== "protocol") return String(row[key] ?? "");
    const way = (row.direction ?? "").replaceAll("_", " ");
    return [way ? el("span", { class: "arrow", role: "img", "aria-label": way, text: arrows[row.direction] ?? " " }) : el("span", { class: "arrow", text: " " }), " " + row.protocol];
  }

  /** Of rows, those whose values are not all known yet. */
  missing(rows) {
    return rows.filter((row) => this.chosen.some((name) => row.values?.[name] === undefined));
  }

  /** Adds the values of the chosen fields to rows that were fetched. */
  async fill(rows) {
    if (!rows.length) return;
    const numbers = rows.map((r) => r.row);
    await Promise.all(this.chosen.map(async (field) => {
      try {
        const answer = await this.ask("column", { field, rows: numbers.join(",") });
        rows.forEach((row, i) => {
          row.values ??= {};
          if (row.row < answer.known || answer.done) row.values[field] = answer.values[i];
        });
      } catch (fault) {
        this.remove(field);
        this.fail(fault);
      }
    }));
  }
}

/** What a field is called in the head of its column: the last part of its name, with the one before where that says little. */
function lastPart(name) {
  const parts = name.split(".");
  return parts.slice(parts.at(-1).length < 8 ? -2 : -1).join(".");
}
