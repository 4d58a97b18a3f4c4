// A list of any number of lines, of which those that are seen are there. Browsers bound how tall an element can be, so
// where all lines would be taller, the scroll bar stands for places in the list and the wheel still moves by lines.

import { el } from "../assets/dom.js";

const tallest = 8_000_000; // pixels; browsers take 16 million and more
const pageSize = 200;
const keptPages = 60;

/**
 * options:
 * height: of a line in pixels; fetch(from, count) gives {many, done, items}; draw(line, item, place) fills an element;
 * make() makes the element of a line; choose(place, item, how) is called when a line is chosen.
 * element has the role listbox or grid; its lines are reached with aria-activedescendant.
 */
export class VirtualList {
  constructor({ height, fetch, draw, make, choose, label, role = "grid", id }) {
    Object.assign(this, { height, fetch, draw, make, choose, id });
    this.many = 0;
    this.first = 0; // line at the top, with a fraction
    this.seen = 0; // how many lines fit, with a fraction
    this.selected = -1;
    this.choosing = null; // of the line that was selected last, while its item is fetched
    this.pages = new Map();
    this.asked = new Map();
    this.generation = 0;
    this.spacer = el("div", { class: "spacer", role: "presentation" });
    this.window = el("div", { class: "window", role: "presentation" });
    this.lines = [];
    this.element = el(
      "div",
      {
        class: "virtual",
        role,
        tabindex: "0",
        "aria-label": label,
        "aria-rowcount": "0",
        id,
        onscroll: () => this.scrolled(),
        onkeydown: (e) => this.key(e),
        onclick: (e) => this.clicked(e),
      },
      this.window,
      this.spacer,
    );
    this.element.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  /** Forgets everything that was fetched: the list is another one. */
  reset() {
    this.generation++;
    this.pages.clear();
    this.asked.clear();
    this.many = 0;
    this.selected = -1;
    this.choosing = null;
    this.first = 0;
    this.load(0);
    this.layout();
  }

  /** Forgets the items alone: they are fetched again. */
  forget() {
    this.generation++;
    this.pages.clear();
    this.asked.clear();
    this.redraw();
  }

  /** The items of the lines that are seen. */
  get shown() {
    return this.lines.map((line) => line.shown).filter(Boolean);
  }

  /** Draws the lines that are seen again. */
  redraw() {
    for (const line of this.lines) line.place = -1;
    this.render();
  }

  /** Takes note of how many lines there are. */
  grow(many) {
    if (many === this.many) return;
    this.many = many;
    this.element.setAttribute("aria-rowcount", String(many));
    this.layout();
  }

  get visible() {
    return Math.max(1, Math.floor(this.element.clientHeight / this.height));
  }

  get maxFirst() {
    return Math.max(0, this.many - this.element.clientHeight / this.height);
  }

  layout() {
    const view = this.element.clientHeight;
    if (!view) return;
    const total = Math.min(this.many * this.height, tallest);
    this.spacer.style.height = Math.max(0, total - view) + "px";
    this.window.style.height = view + "px";
    this.first = Math.min(Math.max(0, this.first), this.maxFirst);
    this.syncBar();
    this.render();
  }

  /** Another height: a line that was selected and seen is still seen. */
  resized() {
    const seen = this.selected >= this.first && this.selected <= this.first + this.seen - 1;
    this.layout();
    this.seen = this.element.clientHeight / this.height;
    if (seen) this.show(this.selected);
  }

  syncBar() {
    const range = this.element.scrollHeight - this.element.clientHeight;
    const top = this.maxFirst > 0 ? (this.first / this.maxFirst) * range : 0;
    this.barTop = Math.round(top);
    if (Math.abs(this.element.scrollTop - top) >= 1) this.element.scrollTop = this.barTop;
  }

  scrolled() {
    if (Math.abs(this.element.scrollTop - this.barTop) < 1.5) return; // this list moved it itself
    const range = this.element.scrollHeight - this.element.clientHeight;
    this.barTop = this.element.scrollTop;
    this.first = range > 0 ? (this.element.scrollTop / range) * this.maxFirst : 0;
    this.render();
  }

  wheel(e) {
    if (e.ctrlKey || !e.deltaY) return;
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 1 : e.deltaMode === 2 ? this.visible : 1 / this.height;
    this.moveTo(this.first + e.deltaY * unit);
  }

  moveTo(first) {
    this.first = Math.min(Math.max(0, first), this.maxFirst);
    this.syncBar();
    this.render();
  }

  /** Selects a line and brings it into view, without choosing it. One that is being chosen stays selected. */
  mark(place) {
    if (this.choosing) return;
    this.selected = place;
    this.show(place, true);
    this.render();
  }

  /**
   * The place of the last item that is not after a row of the packets' list, which the items are ordered by; -1:
   * none.
   */
  async lastUpTo(row) {
    let [from, to] = [0, this.many];
    while (from < to) {
      const middle = (from + to) >> 1;
      const item = await this.need(middle);
      if (!item) return -1;
      if (item.row <= row) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  /** Brings a line into view. */
  show(place, middle = false) {
    const seen = this.element.clientHeight / this.height;
    if (place < this.first || (middle && (place < this.first || place > this.first + seen - 1)))
      this.moveTo(middle ? place - Math.round(seen / 3) : place);
    else if (place > this.first + seen - 1) this.moveTo(middle ? place - Math.round(seen / 3) : place - seen + 1);
    else this.render();
  }

  /** The item of a line, if it is there. */
  item(place) {
    return this.pages.get(Math.floor(place / pageSize))?.[place % pageSize];
  }

  /** Whether a page was not full when it was fetched, and the list has grown since. */
  isShort(page) {
    const items = this.pages.get(page);
    return items.length < pageSize && items.of < this.many;
  }

  load(page) {
    if (this.asked.has(page)) return this.asked.get(page);
    if (this.pages.has(page) && !this.isShort(page)) return Promise.resolve();
    const { generation, many } = this;
    const work = this.fetch(page * pageSize, pageSize).then(
      (answer) => {
        if (generation !== this.generation) return;
        this.asked.delete(page);
        if (!answer) return;
        this.pages.delete(page);
        this.pages.set(page, Object.assign(answer.items, { of: Math.max(many, answer.many) }));
        if (this.pages.size > keptPages) this.pages.delete(this.pages.keys().next().value);
        if (answer.many > this.many) this.grow(answer.many);
        this.render();
      },
      () => generation === this.generation && this.asked.delete(page),
    );
    this.asked.set(page, work);
    return work;
  }

  /** The item of a line, fetched if it is not there. */
  async need(place) {
    await this.load(Math.floor(place / pageSize));
    return this.item(place);
  }

  render() {
    const count = Math.min(
      Math.ceil(this.element.clientHeight / this.height) + 1,
      Math.max(0, this.many - Math.floor(this.first)),
    );
    while (this.lines.length < count) {
      const line = this.make();
      this.lines.push(line);
      this.window.append(line);
    }
    while (this.lines.length > count) this.lines.pop().remove();
    const start = Math.floor(this.first);
    const shift = (start - this.first) * this.height;
    for (let i = 0; i < count; i++) {
      const place = start + i;
      const line = this.lines[i];
      const item = this.item(place);
      line.style.transform = `translateY(${shift + i * this.height}px)`;
      line.id = `${this.id}-${place}`;
      line.setAttribute("aria-rowindex", String(place + 1));
      line.setAttribute("aria-selected", String(place === this.selected));
      line.classList.toggle("selected", place === this.selected);
      if (line.shown !== item || line.place !== place) {
        this.draw(line, item, place);
        line.shown = item;
      }
      line.place = place;
      if (!item) this.load(Math.floor(place / pageSize));
    }
    if (this.selected >= 0) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.selected}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  clicked(e) {
    const line = e.target.closest(".line");
    if (line && this.lines.includes(line)) this.select(line.place, "click");
  }

  /** Chooses a line, whose item is fetched if it is not there; if it is not the one that is wanted, it gives false. */
  async select(place, how = "key", wanted = () => true) {
    if (place < 0 || place >= this.many) return;
    this.selected = place;
    const turn = (this.choosing = {});
    this.show(place);
    let item, generation;
    do {
      generation = this.generation;
      item = await this.need(place);
      // The items may have been forgotten meanwhile: there is another one now.
    } while (generation !== this.generation && turn === this.choosing);
    if (turn !== this.choosing) return;
    this.choosing = null;
    if (item && !wanted(item)) return false;
    if (item) this.choose(place, item, how);
  }

  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const steps = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: this.visible,
      PageUp: -this.visible,
      Home: -Infinity,
      End: Infinity,
    };
    const step = e.key === " " ? (e.shiftKey ? -1 : 1) * this.visible : steps[e.key];
    if (step === undefined || !this.many) return;
    e.preventDefault();
    this.select(Math.min(this.many - 1, Math.max(0, this.selected + step)));
  }
}
