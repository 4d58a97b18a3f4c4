// Bars between panes.

import { el } from "../assets/dom.js";
import { keep, recall } from "./memory.js";

/**
 * A bar between panes that is moved with the mouse or the arrow keys. set(part) is called with the part, in percent,
 * that the first pane has of the element within(); part: how much at first.
 */
export function divider({ orientation, label, part, set, within }) {
  const vertical = orientation === "vertical";
  const move = (to) => {
    part = Math.min(85, Math.max(10, to));
    bar.setAttribute("aria-valuenow", String(Math.round(part)));
    keep(label, part);
    set(part + "%");
  };
  const bar = el("div", {
    class: "divider " + orientation,
    role: "separator",
    tabindex: "0",
    "aria-orientation": orientation,
    "aria-label": label,
    "aria-valuemin": "10",
    "aria-valuemax": "85",
    "aria-valuenow": String(part),
    onkeydown: (e) => {
      const step = { ArrowUp: -2, ArrowLeft: -2, ArrowDown: 2, ArrowRight: 2 }[e.key];
      if (step && !e.ctrlKey) {
        e.preventDefault();
        move(part + step);
      }
    },
    onpointerdown: (e) => bar.setPointerCapture(e.pointerId),
    onpointermove: (e) => {
      if (!bar.hasPointerCapture(e.pointerId)) return;
      const box = within().getBoundingClientRect();
      move(vertical ? (100 * (e.clientX - box.left)) / box.width : (100 * (e.clientY - box.top)) / box.height);
    },
  });
  const kept = recall(label);
  if (typeof kept === "number") move(kept);
  return bar;
}
