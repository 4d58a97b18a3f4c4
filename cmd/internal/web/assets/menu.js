// A small menu (⋯) of what can be done with a picture or a table.

import { button, el } from "./dom.js";

// A press closes every open menu that it is not in. One listener for all: the toggle event of a menu comes too late
// for one of its own.
document.addEventListener("pointerdown", (e) => {
  for (const box of document.querySelectorAll("details.menu[open]")) if (!box.contains(e.target)) box.open = false;
});

/** entries: [[label, action, hint]]. It closes when something is chosen, on Escape, and when something else is used. */
export function menu(label, entries) {
  const summary = el("summary", { "aria-label": label, text: "⋯" });
  const box = el(
    "details",
    { class: "menu" },
    summary,
    el(
      "div",
      {},
      entries.map(([text, action, hint]) =>
        button(
          text,
          () => {
            box.open = false;
            action();
          },
          { class: "small", title: hint },
        ),
      ),
    ),
  );
  box.addEventListener("focusout", (e) => {
    if (e.relatedTarget && !box.contains(e.relatedTarget)) box.open = false;
  });
  box.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !box.open) return;
    e.stopPropagation();
    box.open = false;
    summary.focus();
  });
  return box;
}
