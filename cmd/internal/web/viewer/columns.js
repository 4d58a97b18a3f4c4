// Columns of the list: those that it always has, and fields that the user chose. Values of fields are read by the
// program in the background, so they may come after the rows.

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
  /**
   * changed() is called when there are other columns; sorted() when the list is to be sorted by another one;
   * marked(row) tells whether a packet is marked; fail(fault) when a column is refused.
   */
  constructor({ ask, changed, sorted, marked, fail }) {
    Object.assign(this, { ask, changed, sorted, marked, fail });
    this.chosen = []; // names of fields
    this.sort = ""; // the column that the list is sorted by; - before it: the highest first
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
    if (this.sort.replace("-", "") === name) this.sortBy("");
    this.set(this.chosen.filter((c) => c !== name).join(","));
  }

  /** Sorts by a column: the lowest first, then the highest first, then in the order of the file again. */
  turn(key) {
    this.sortBy(this.sort === key ? "-" + key : this.sort === "-" + key ? "" : key);
  }

  sortBy(sort) {
    if (sort === this.sort) return;
    this.sort = sort;
    this.drawHead();
    this.sorted();
  }

  drawHead() {
    const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const cell = (c, key, label, ...more) => {
      const sorted = this.sort === key ? "ascending" : this.sort === "-" + key ? "descending" : null;
      return el(
        "span",
        { class: "cell " + (c.class ?? c.key), role: "columnheader", "aria-sort": sorted },
        button(label, () => this.turn(key), {
          class: "sort",
          "data-key": key,
          title: `${key}: choose to sort${sorted ? " the other way, then no longer" : ""}`,
        }),
        more,
      );
    };
    replace(
      this.head,
      always.map((c) => cell(c, c.key, c.name)),
      this.chosen.map((name) =>
        cell(
          { class: "own" },
          name,
          lastPart(name),
          button("✕", () => this.remove(name), { class: "plain", "aria-label": `Remove the column ${name}` }),
        ),
      ),
      cell({ key: "info" }, "info", "Info"),
    );
    if (focused) this.head.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    document.documentElement.style.setProperty(
      "--own-columns",
      this.chosen.map((name) => Math.min(24, Math.max(10, lastPart(name).length + 4)) + "ch").join(" "),
    );
  }

  makeRow() {
    return el("div", { class: "line row", role: "row" });
  }

  /** Fills the element of a row; row is undefined while it is fetched. */
  draw(line, row) {
    const marked = row && this.marked(row);
    line.className =
      "line row" +
      (marked ? " marked" : "") +
      (row ? ` ${row.direction ?? ""} ${row.severity ? "has-" + row.severity : ""}` : " waiting") +
      (line.getAttribute("aria-selected") === "true" ? " selected" : "");
    const cell = (name, ...inside) => el("span", { class: "cell " + name, role: "gridcell" }, inside);
    replace(
      line,
      always.map((c) => cell(c.class ?? c.key, row ? this.content(c.key, row, marked) : "")),
      this.chosen.map((name) =>
        cell(
          "own",
          row ? wire(row.values?.[name] ?? "…", { title: row.values?.[name] ? visible(row.values[name]) : null }) : "",
        ),
      ),
      cell(
        "info",
        row
          ? [
              row.severity
                ? el("span", {
                    class: "sign",
                    title: row.severity,
                    role: "img",
                    "aria-label": row.severity,
                    text: severities[row.severity] + " ",
                  })
                : null,
              wire(row.info),
            ]
          : "…",
      ),
    );
  }

  content(key, row, marked) {
    if (key === "number" && marked)
      return [el("span", { class: "mark", role: "img", "aria-label": "marked", text: "◆" }), String(row.number)];
    if (key !== "protocol") return String(row[key] ?? "");
    const way = (row.direction ?? "").replaceAll("_", " ");
    return [
      way
        ? el("span", { class: "arrow", role: "img", "aria-label": way, text: arrows[row.direction] ?? " " })
        : el("span", { class: "arrow", text: " " }),
      " " + row.protocol,
    ];
  }

  /** Of rows, those whose values are not all known yet. */
  missing(rows) {
    return rows.filter((row) => this.chosen.some((name) => row.values?.[name] === undefined));
  }

  /** Adds the values of the chosen fields to rows that were fetched. */
  async fill(rows) {
    if (!rows.length) return;
    rows = rows.toSorted((a, b) => a.row - b.row); // of a list that is sorted by a column
    const numbers = rows.map((r) => r.row);
    await Promise.all(
      this.chosen.map(async (field) => {
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
      }),
    );
  }
}

/**
 * What a field is called in the head of its column: the last part of its name, with the one before where that says
 * little.
 */
function lastPart(name) {
  const parts = name.split(".");
  return parts.slice(parts.at(-1).length < 8 ? -2 : -1).join(".");
}
