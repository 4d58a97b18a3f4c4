// A menu where the pointer or a line is: entries that the arrow keys choose.

import { button, el, replace } from "../assets/dom.js";

export class Menu {
  /** label: what it is about; signal ends it. */
  constructor({ label, signal }) {
    this.element = el("div", {
      class: "choices",
      role: "menu",
      "aria-label": label,
      hidden: true,
      onkeydown: (e) => this.key(e),
    });
    addEventListener("pointerdown", (e) => !this.element.contains(e.target) && this.close(), { signal });
    addEventListener("blur", () => this.close(), { signal });
  }

  /**
   * Opens it at a pointer's place, else below an element, which has the keys again when it closes. entries: [label,
   * action], or null.
   */
  open(e, entries, below, back = below) {
    e.preventDefault();
    this.back = back;
    replace(
      this.element,
      entries.filter(Boolean).map(([label, action]) =>
        button(
          label,
          () => {
            this.close();
            action();
          },
          { role: "menuitem", class: "plain" },
        ),
      ),
    );
    this.element.hidden = false;
    const box = below.getBoundingClientRect();
    const at = e.clientX ? { x: e.clientX, y: e.clientY } : { x: box.left, y: box.bottom };
    this.element.style.left = Math.max(0, Math.min(at.x, innerWidth - this.element.offsetWidth - 8)) + "px";
    this.element.style.top = Math.max(0, Math.min(at.y, innerHeight - this.element.offsetHeight - 8)) + "px";
    this.element.firstChild.focus();
  }

  close() {
    if (this.element.hidden) return;
    const had = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (had) this.back.focus();
  }

  key(e) {
    const entries = [...this.element.children];
    const at = entries.indexOf(document.activeElement);
    if (e.key === "ArrowDown") entries[(at + 1) % entries.length].focus();
    else if (e.key === "ArrowUp") entries[(at + entries.length - 1) % entries.length].focus();
    else if (e.key === "Home") entries[0].focus();
    else if (e.key === "End") entries.at(-1).focus();
    else if (e.key === "Escape" || e.key === "Tab") this.close();
    else return e.stopPropagation();
    e.preventDefault();
    e.stopPropagation();
  }
}
