// The strip beside the list: where in the file packets have warnings or errors.

import { el } from "../assets/dom.js";

export class Strip {
  /**
   * ask(parts) gives the worst severity in each part of the list; chosen(part) is called with the part of the list
   * that is wanted.
   */
  constructor({ ask, chosen }) {
    this.ask = ask;
    this.element = el("canvas", {
      class: "marks",
      "aria-hidden": "true",
      onclick: (e) => chosen(e.offsetY / this.element.clientHeight),
    });
  }

  async draw() {
    const height = this.element.clientHeight;
    if (!height || this.drawing) return;
    this.drawing = true;
    try {
      const list = await this.ask(Math.min(600, Math.max(1, Math.floor(height / 2))));
      const colours = getComputedStyle(document.documentElement);
      this.element.width = 8;
      this.element.height = height;
      const paper = this.element.getContext("2d");
      list.forEach((severity, i) => {
        if (!severity) return;
        paper.fillStyle = colours.getPropertyValue("--" + severity).trim();
        paper.fillRect(
          severity === "note" ? 5 : 0,
          Math.floor((i * height) / list.length),
          8,
          Math.max(2, Math.ceil(height / list.length)),
        );
      });
    } finally {
      this.drawing = false;
    }
  }
}
