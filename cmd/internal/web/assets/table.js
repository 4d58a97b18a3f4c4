// Tables that sort by their heads and are saved as CSV.

import { button, el, fileName, replace, save, say, visible, wire } from "./dom.js";
import { number, words } from "./format.js";
import { frame } from "./frame.js";
import { menu } from "./menu.js";

// Letters: a longer text gets lines of some width, where the table would rather scroll.
const longText = 28;
const someText = 16;
const identifier = /(port|stream|version|number|client_num)$/; // keys of numbers that nobody counts with
let named = 0; // tables with a head of their own

/**
 * A table as the program's statistics have them. columns: [{key, type, unit, doc, name}], type "string", "integer",
 * "number", "boolean" or "array". rows: lists of values by column; null where there is nothing, {text, list} for an
 * array of objects. options: caption; show(value, column, row) gives an element or text instead of the usual one, or
 * undefined; onRow(row, index) makes rows choosable; limit: rows that are shown at first; csv: {title, columns, rows}
 * puts a menu beside the caption that saves the table, or other columns and rows than those that are shown.
 */
export function table(columns, rows, options = {}) {
  const used = columns.map((_, c) => rows.some((row) => row[c] !== null && row[c] !== undefined));
  const kept = columns.map((column, index) => ({ column, index })).filter(({ index }) => used[index]);
  const order = rows.map((_, i) => i);
  const body = el("tbody");
  const limit = options.limit ?? 200;
  let shown = limit;
  let sorted = { index: -1, down: false };

  const heads = kept.map(({ column, index }) => {
    const numeric = isNumeric(column);
    const head = button(column.name ?? words(column.key), () => sort(index, numeric), {
      class: "sort",
      title: column.doc ? visible(column.doc) : null,
    });
    const unit = column.unit ? el("span", { class: "unit", text: column.unit }) : null;
    return el("th", { scope: "col", class: numeric ? "number" : null }, head, unit);
  });

  function sort(index, numeric) {
    sorted = { index, down: sorted.index === index ? !sorted.down : numeric };
    const sign = sorted.down ? -1 : 1;
    order.sort((a, b) => sign * compare(rows[a][index], rows[b][index]) || a - b);
    kept.forEach((k, i) => {
      if (k.index === index) heads[i].setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else heads[i].removeAttribute("aria-sort");
    });
    draw();
  }

  function cell({ column, index }, row) {
    const value = row[index];
    const own = options.show?.(value, column, row);
    const numeric = isNumeric(column);
    const text = plain(value);
    const letters = String(text).length;
    const kind = numeric ? "number" : letters > longText ? "long" : letters > someText ? "some" : null;
    if (own !== undefined) return el("td", { class: kind }, own);
    if (value === null || value === undefined) return el("td");
    if (column.key === "frame") return el("td", { class: "number" }, frame(value));
    if (numeric)
      return el("td", { class: "number", text: identifier.test(column.key) ? String(value) : number(value, 3) });
    return el("td", { class: kind, title: column.values?.[value] }, wire(text));
  }

  function draw() {
    replace(
      body,
      order.slice(0, shown).map((i) => {
        const line = el(
          "tr",
          {},
          kept.map((k) => cell(k, rows[i])),
        );
        if (options.onRow) {
          line.tabIndex = 0;
          line.classList.add("choosable");
          line.addEventListener("click", () => options.onRow(rows[i], i));
          line.addEventListener("keydown", (e) => e.key === "Enter" && options.onRow(rows[i], i));
        }
        return line;
      }),
    );
    more.hidden = shown >= rows.length;
    say(more, `show all ${number(rows.length)} rows`);
  }

  const more = button(
    "",
    () => {
      shown = rows.length;
      draw();
    },
    { class: "more" },
  );
  draw();
  const { csv } = options;
  return framed(
    options.caption,
    csv && { title: csv.title, columns: csv.columns ?? columns, rows: csv.rows ?? rows },
    el(
      "table",
      { class: kept[0]?.column.key.startsWith("name") ? "who-first" : null },
      el("thead", {}, el("tr", {}, heads)),
      body,
    ),
    more,
  );
}

/** A table that scrolls sideways, with its caption. csv: what the menu beside it saves: {title, columns, rows}. */
export function framed(caption, csv, inside, ...below) {
  const scroll = el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption ?? "table" },
    inside,
  );
  if (!csv) {
    if (caption) inside.prepend(el("caption", { text: caption }));
    return el("div", { class: "table" }, scroll, below);
  }
  const id = "table-" + ++named;
  inside.setAttribute("aria-labelledby", id);
  return el(
    "div",
    { class: "table" },
    el("div", { class: "table-head" }, el("span", { class: "title", id, text: caption }), csvMenu(caption, csv)),
    scroll,
    below,
  );
}

/** The menu of a table: rows may be a function, which is called when they are wanted. */
export function csvMenu(label, { title, columns, rows }) {
  return menu("Save: " + visible(label), [
    ["Save CSV", () => saveCSV(title, columns, typeof rows === "function" ? rows() : rows)],
  ]);
}

/** A value as text or number: lists of objects come with their text. */
export function plain(value) {
  return value && typeof value === "object" ? value.text : value;
}

function isNumeric(column) {
  return column.type === "integer" || column.type === "number";
}

function compare(a, b) {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : -1;
  if (b === null || b === undefined) return 1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(plain(a)).localeCompare(String(plain(b)));
}

/**
 * The rows as CSV: RFC 4180, with the keys as heads. A text that a spreadsheet would take for a formula begins with
 * '.
 */
export function csv(columns, rows) {
  const quote = (value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    let text = String(plain(value));
    if (/^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return [columns.map((c) => c.key), ...rows].map((row) => row.map(quote).join(",") + "\r\n").join("");
}

/** Saves the rows as a file of comma-separated values. */
export function saveCSV(title, columns, rows) {
  save(fileName(title) + ".csv", csv(columns, rows), "text/csv;charset=utf-8");
}

/**
 * A table that opens on demand, with a menu beside it unless options.bare. rows may be a function, which is called
 * when they are wanted.
 */
export function tableBehind(title, columns, rows, options = {}) {
  const all = () => (typeof rows === "function" ? rows() : rows);
  const inside = el("div");
  const details = el("details", { class: "behind" }, el("summary", { text: options.label ?? "Table" }), inside);
  details.addEventListener("toggle", () => {
    if (details.open && !inside.firstChild) inside.append(table(columns, all(), { caption: title, ...options }));
  });
  return options.bare ? details : el("div", { class: "behind-row" }, details, csvMenu(title, { title, columns, rows }));
}
