// The page of a report: unpacks its document and shows it, section by section.

import { add, el, replace, visible } from "../dom.js";
import { drawAll } from "../plot.js";
import { choose } from "./choose.js";
import { strip } from "./strip.js";
import { matches } from "./matches.js";
import { timeline } from "./timeline.js";
import { overhead } from "./map.js";
import { replay } from "./replay.js";
import { lagometer } from "./lag.js";
import { bits } from "./bits.js";
import { inputs } from "./input.js";
import { queries } from "./queries.js";
import { chat } from "./chat.js";
import { evidence } from "./evidence.js";
import { paths } from "./delay.js";
import { context } from "./context.js";

const sections = [
  ["replay", "Replay", replay],
  ["matches", "Matches", matches],
  ["timeline", "Time line", timeline],
  ["map", "Map", overhead],
  ["lagometer", "Lagometer", lagometer],
  ["bits", "Where the bits go", bits],
  ["input", "Input", inputs],
  ["queries", "Queries and rcon", queries],
  ["chat", "Chat", chat],
  ["evidence", "Evidence", evidence],
];

/** Shows a document in an element: its first section at once, the others after its picture. */
export async function show(page, doc) {
  const ctx = context(doc);
  const nav = el("nav", { "aria-label": "Contents" });
  const main = el("main", {});
  const head = el("header", {});
  replace(
    page,
    el("a", { class: "skip", href: "#main", text: "To the content" }),
    el("div", { class: "frame" }, nav, el("div", { class: "column", id: "main" }, head, main)),
  );

  const rest = []; // what fills the sections that are empty
  let turn = null;
  const draw = async () => {
    const mine = (turn = {});
    document.documentElement.dataset.ready = "false"; // until every section is there
    replace(
      head,
      el("h1", {}, el("bdi", { text: visible(ctx.file.name.replace(/^.*\//, "")) })),
      choose(ctx, draw),
      strip(ctx),
    );
    const entries = [];
    replace(main);
    rest.length = 0;
    const shown = doc.compared ? [["path", "Path", paths], ...sections] : sections;
    for (const [id, title, make] of shown) {
      const heading = el("h2", { id: id + "-title", text: title, tabindex: "-1" });
      const section = el("section", { id, "aria-labelledby": id + "-title" }, heading);
      main.append(section);
      rest.push(() => fill(section, () => make(ctx)));
      const go = (e) => {
        e.preventDefault();
        section.scrollIntoView();
        heading.focus({ preventScroll: true });
      };
      entries.push(el("li", {}, el("a", { href: "#" + id, text: title, onclick: go })));
    }
    replace(
      nav,
      el("ol", {}, entries),
      el("p", { class: "note" }, "Made by q3dissect. Opens from disk and loads nothing from a network."),
    );
    rest.shift()();
    await picture(); // in which it comes near the window,
    await picture(); // and is drawn
    for (; rest.length && mine === turn; await pause()) rest.shift()();
    if (mine === turn) document.documentElement.dataset.ready = "true";
  };
  addEventListener("beforeprint", () => {
    rest.splice(0).forEach((make) => make());
    drawAll();
  });
  await draw();
}

/** Fills a section. One that cannot be shown leaves the others as they are. */
function fill(section, make) {
  try {
    add(section, make());
  } catch (fault) {
    const text = "This section cannot be read: " + fault.message;
    section.append(el("p", { class: "nothing", role: "alert", text }));
    reportError(fault);
  }
}

/** Waits for what else the page has to do. */
function pause() {
  return new Promise((done) => setTimeout(done));
}

/** Waits until the page was drawn; not for long, as one that is hidden is not drawn. */
function picture() {
  return new Promise((done) => {
    const late = setTimeout(done, 200);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(done);
    });
  });
}
