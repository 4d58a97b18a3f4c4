// The fields of a record as a tree. What was open stays open from one packet to the next.

import { el, replace, visible, wire } from "../assets/dom.js";
import { keep, recall } from "./memory.js";
import { Menu } from "./menu.js";

const containers = new Set(["object", "list", "choices", "sparse"]);
const numeric = new Set(["uint", "int", "float", "bool"]);

export class FieldTree {
  /**
   * point(field) when one is selected; apply(how, field) makes a filter; column(name) and plot(name) of a field;
   * again() asks for the record once more; signal ends it.
   */
  constructor({ point, apply, column, plot, again, signal }) {
    Object.assign(this, { point, apply, column, plot, again });
    this.framing = recall("framing", false); // what frames the fields is shown
    this.open = new Map(recall("open", [])); // by path: whether the user opened or closed it
    this.path = null; // of the field that is selected
    this.items = [];
    this.heading = el("p", { class: "heading" });
    this.switch = el("button", {
      type: "button",
      class: "plain framing",
      text: "Every bit",
      title: "Show what frames the fields too, so that every bit lies in one",
      "aria-pressed": String(this.framing),
      onclick: () => this.toggleFraming(),
    });
    this.experts = el("ul", { class: "experts", "aria-label": "Expert entries" });
    this.root = el("ul", {
      class: "tree",
      role: "tree",
      tabindex: "0",
      "aria-label": "Fields",
      onkeydown: (e) => this.key(e),
    });
    this.menu = new Menu({ label: "What to do with the field", signal });
    this.element = el(
      "section",
      { class: "fields pane", "aria-label": "Fields" },
      this.switch,
      this.heading,
      this.experts,
      this.root,
      this.menu.element,
    );
  }

  get focusable() {
    return this.root;
  }

  toggleFraming() {
    this.framing = !this.framing;
    keep("framing", this.framing);
    this.switch.setAttribute("aria-pressed", String(this.framing));
    this.again();
  }

  /** Remembers which field is to be selected when the record comes. */
  want(path) {
    this.path = path;
  }

  show(record) {
    this.menu.close();
    this.record = record;
    this.byPath = new Map();
    record.fields.forEach((field, i) => {
      field.index = i;
      field.container = i + 1 < record.fields.length && record.fields[i + 1].depth > field.depth;
      if (!this.byPath.has(field.path)) this.byPath.set(field.path, field);
    });
    const above = [];
    for (const field of record.fields) {
      above.length = field.depth;
      field.up = above[field.depth - 1] ?? null;
      above[field.depth] = field;
    }
    replace(this.heading, wire(record.heading));
    replace(
      this.experts,
      record.experts.map((e) => el("li", {}, this.expert(e))),
    );
    this.draw();
    const same = this.path && this.byPath.get(this.path);
    if (same) this.reveal(this.path);
    else this.select(null);
  }

  expert(entry) {
    const field = this.record.fields.find((f) => this.record.descriptions[f.about].name === entry.field);
    const text = [el("strong", { text: entry.code.replaceAll("_", " ") + ": " }), wire(entry.message)];
    if (!field) return el("span", { class: "severity-" + entry.severity }, text);
    return el(
      "button",
      { type: "button", class: "plain severity-" + entry.severity, onclick: () => this.reveal(field.path, true) },
      text,
    );
  }

  isOpen(field) {
    const chosen = this.open.get(generic(field.path));
    if (chosen !== undefined) return chosen;
    return (field.depth < 3 && this.record.fields.length < 400) || field.depth < 2;
  }

  /** Puts the fields that are seen into the pane. */
  draw() {
    this.items = [];
    let closed = Infinity;
    for (const field of this.record.fields) {
      if (field.depth > closed) continue;
      closed = Infinity;
      this.items.push(field);
      if (field.container && !this.isOpen(field)) closed = field.depth;
    }
    replace(
      this.root,
      this.items.map((field) => this.item(field)),
    );
    if (!this.items.length)
      this.root.append(el("li", { class: "nothing", role: "none", text: "No field of this packet is known." }));
  }

  item(field) {
    const about = this.record.descriptions[field.about];
    const opened = field.container ? this.isOpen(field) : null;
    field.element = el(
      "li",
      {
        role: "treeitem",
        id: "field-" + field.index,
        class: "item",
        "aria-level": String(field.depth + 1),
        "aria-selected": "false",
        "aria-expanded": opened === null ? null : String(opened),
        onclick: (e) => this.clicked(e, field),
        oncontextmenu: (e) => this.openMenu(e, field),
        ondblclick: () => field.container && this.toggle(field),
      },
      el("span", { class: "twist", "aria-hidden": "true", text: opened === null ? "" : opened ? "▾" : "▸" }),
      el("span", { class: "label", text: visible(field.label) }),
      field.value
        ? [
            " ",
            el("bdi", {
              class: "value " + (containers.has(about.kind) ? "" : about.kind),
              text: short(field.value),
              title: field.value.length > 60 ? field.value.slice(0, 4000) : null,
            }),
          ]
        : null,
      field.named ? [" ", el("span", { class: "meaning", text: visible(field.named) })] : null,
      opened === false ? [" ", el("bdi", { class: "summary", text: visible(summary(this.record, field)) })] : null,
    );
    field.element.style.paddingInlineStart = 18 + field.depth * 14 + "px";
    return field.element;
  }

  clicked(e, field) {
    if (e.target.closest(".twist") && field.container) this.toggle(field);
    this.select(field);
  }

  opened(field, open) {
    this.open.set(generic(field.path), open);
    keep("open", [...this.open].slice(-500));
  }

  toggle(field, open = !this.isOpen(field)) {
    if (!field.container) return;
    this.opened(field, open);
    const selected = this.selected;
    this.draw();
    this.select(selected && this.items.includes(selected) ? selected : field, false);
  }

  /** Opens what is around a field and selects it. */
  reveal(path, focus = false) {
    const field = this.byPath?.get(path);
    if (!field) return;
    let changed = false;
    for (let up = field.up; up; up = up.up) {
      if (!this.isOpen(up)) {
        this.opened(up, true);
        changed = true;
      }
    }
    if (changed || !this.items.includes(field)) this.draw();
    this.select(field);
    if (focus) this.root.focus({ preventScroll: true });
  }

  select(field, point = true) {
    this.selected?.element?.classList.remove("selected");
    this.selected?.element?.setAttribute("aria-selected", "false");
    this.selected = field;
    if (!field) return this.root.removeAttribute("aria-activedescendant");
    this.path = field.path;
    field.element.classList.add("selected");
    field.element.setAttribute("aria-selected", "true");
    this.root.setAttribute("aria-activedescendant", field.element.id);
    this.bringIntoView(field);
    // Lines have their height once they are near the window: the first scroll may have stopped short.
    requestAnimationFrame(() => this.selected === field && this.bringIntoView(field));
    if (point) this.point(field);
  }

  bringIntoView(field) {
    const box = field.element.getBoundingClientRect();
    const pane = this.element.getBoundingClientRect();
    if (box.top < pane.top || box.bottom > pane.bottom) field.element.scrollIntoView({ block: "nearest" });
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const at = this.items.indexOf(this.selected);
    const field = this.selected;
    const moves = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: this.items.length - 1,
      PageDown: at + 15,
      PageUp: at - 15,
    };
    if (e.key in moves) this.select(this.items[Math.min(this.items.length - 1, Math.max(0, moves[e.key]))]);
    else if (!field) return;
    else if (e.key === "ArrowRight")
      field.container && !this.isOpen(field)
        ? this.toggle(field, true)
        : field.container && this.select(this.items[at + 1]);
    else if (e.key === "ArrowLeft")
      field.container && this.isOpen(field) ? this.toggle(field, false) : field.up && this.select(field.up);
    else if (e.key === "Enter" || e.key === " ") this.toggle(field);
    else if (e.key === "ContextMenu" || (e.key === "F10" && e.shiftKey) || e.key === "m") this.openMenu(e, field);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // The menu of a field.

  openMenu(e, field) {
    this.select(field);
    const about = this.record.descriptions[field.about];
    const entries = [
      ["Apply as filter", () => this.apply("set", field)],
      ["… not", () => this.apply("not", field)],
      ["… and this", () => this.apply("and", field)],
      ["… or this", () => this.apply("or", field)],
      ["… and not this", () => this.apply("and not", field)],
      containers.has(about.kind) ? null : ["Apply as column", () => this.column(about.name)],
      numeric.has(about.kind) ? ["Plot over time", () => this.plot(about.name)] : null,
      ["Copy value", () => copy(field.value)],
      ["Copy as filter", () => copy(field.filter)],
      ["Copy name", () => copy(about.name)],
      ["Copy path for jq", () => copy("." + field.path)],
    ];
    this.menu.open(e, entries, field.element, this.root);
  }
}

const summarized = [160, 48]; // characters: of a container, and of one inside it

/** What is in a closed container, in its order: its fields with their values, and a little of the containers inside. */
function summary(record, of, depth = 0) {
  const { fields, descriptions } = record;
  const sparse = descriptions[of.about].kind === "sparse"; // its elements are named by their places
  const parts = [];
  let length = 0;
  for (let i = of.index + 1; i < fields.length && fields[i].depth > of.depth; i++) {
    if (fields[i].depth > of.depth + 1) continue;
    if (length > summarized[depth]) {
      parts.push("…");
      break;
    }
    parts.push(
      sparse && fields[i].named
        ? `${fields[i].named.split(";")[0]} ${fields[i].value}`
        : inShort(record, fields[i], depth),
    );
    length += parts.at(-1).length + 2;
  }
  return parts.join(", ");
}

/** A field inside a summary. An element of a list without a name is called by its first value. */
function inShort(record, field, depth) {
  const label = field.label.replace(/^\[\d+\] ?/, "");
  if (!field.container) return (label + " " + valueInShort(field)).trim();
  const first = record.fields[field.index + 1];
  if (!label) return first.container ? first.label : valueInShort(first);
  if (field.value) return label + " " + field.value;
  return depth + 1 < summarized.length ? `${label} {${summary(record, field, depth + 1)}}` : label;
}

/** The name of a value, if it has one, else the value with its unit. */
function valueInShort(field) {
  const value = short(field.value.replaceAll("\n", " "), 40);
  return field.named ? value + " " + short(field.named, 40) : value;
}

/** A path without the numbers of elements: what is open in one packet is open in the next. */
function generic(path) {
  return path.replace(/\[\d+\]/g, "[]");
}

function short(text, most = 200) {
  return visible(text.length > most ? text.slice(0, most) + "…" : text);
}

function copy(text) {
  navigator.clipboard?.writeText(text).catch(() => {});
}
