// Where the parts of the viewer stand: the head, the list, the fields and bytes, the last lines.

import { add, button, el, replace } from "../assets/dom.js";
import { divider } from "./divider.js";
import { Strip } from "./strip.js";

/** Puts the parts of the viewer into an element. extra: elements for the head. */
export function layOut(viewer, root, extra) {
  viewer.names = el("span", { class: "files" });
  viewer.statusLine = el("p", { class: "status", role: "status", "aria-live": "polite" });
  viewer.aboutLine = el("p", { class: "about", role: "status", "aria-label": "About the field" });
  viewer.strip = new Strip({
    ask: (parts) => viewer.carrier.ask("marks", { parts }),
    chosen: (part) =>
      !viewer.filter && !viewer.columns.sort && viewer.list.moveTo(part * viewer.status.rows - viewer.list.visible / 2),
  });
  viewer.list.element.addEventListener("contextmenu", (e) => viewer.actions.openMenu(e));
  const exports = button("export", (e) => viewer.actions.openExports(e), {
    "aria-haspopup": "menu",
    title: "Save what the list shows (X)",
  });
  const head = el(
    "header",
    {},
    el("h1", { text: "q3dissect" }),
    viewer.names,
    extra,
    viewer.filterBar.element,
    el(
      "nav",
      { "aria-label": "Panels" },
      viewer.panels.buttons,
      (viewer.exports = exports),
      button("?", () => viewer.help.open(), { title: "Keys (?)", "aria-label": "Keys" }),
    ),
  );
  viewer.list.element.setAttribute("aria-owns", viewer.columns.head.id); // the heads are above what scrolls
  viewer.nothing = el("p", { class: "nothing none-shown", role: "status", hidden: true });
  const part = (element, name) => ({ set: (to) => element.style.setProperty(name, to), within: () => element });
  viewer.upper = el("div", { class: "upper" });
  viewer.lower = el("div", { class: "lower" });
  viewer.panes = el("main", { class: "panes" });
  add(
    viewer.upper,
    el(
      "section",
      { class: "list pane", "aria-label": "Packets" },
      viewer.columns.head,
      el("div", { class: "rows" }, viewer.list.element, viewer.strip.element, viewer.nothing),
    ),
    divider({
      orientation: "vertical",
      label: "Width of the list beside a panel",
      part: 60,
      ...part(viewer.upper, "--rows"),
    }),
    viewer.panels.element,
  );
  add(
    viewer.lower,
    viewer.tree.element,
    divider({ orientation: "vertical", label: "Width of the fields", part: 50, ...part(viewer.lower, "--tree") }),
    viewer.bytes.element,
  );
  add(
    viewer.panes,
    viewer.upper,
    divider({ orientation: "horizontal", label: "Height of the list", part: 45, ...part(viewer.panes, "--list") }),
    viewer.lower,
  );
  replace(
    root,
    head,
    viewer.panes,
    el("footer", {}, viewer.aboutLine, viewer.statusLine),
    viewer.help.element,
    viewer.actions.menu.element,
  );
}
