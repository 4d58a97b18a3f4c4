// The page of a report: unpacks its document and shows it, section by section.

import { add, el, replace, visible } from "../dom.js";
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

/** Shows a document in an element. */
export function show(page, doc) {
  const ctx = context(doc);
  const nav = el("nav", { "aria-label": "Contents" });
  const main = el("main", {});
  const head = el("header", {});
  replace(
    page,
    el("a", { class: "skip", href: "#main", text: "To the content" }),
    el("div", { class: "frame" }, nav, el("div", { class: "column", id: "main" }, head, main)),
  );

  const draw = () => {
    replace(
      head,
      el("h1", {}, el("bdi", { text: visible(ctx.file.name.replace(/^.*\//, "")) })),
      choose(ctx, draw),
      strip(ctx),
    );
    const entries = [];
    replace(main);
    const shown = doc.compared ? [["path", "Path", paths], ...sections] : sections;
    for (const [id, title, make] of shown) {
      const section = el(
        "section",
        { id, "aria-labelledby": id + "-title" },
        el("h2", { id: id + "-title", text: title, tabindex: "-1" }),
      );
      add(section, make(ctx));
      main.append(section);
      entries.push(
        el(
          "li",
          {},
          el("a", {
            href: "#" + id,
            text: title,
            onclick: (e) => {
              e.preventDefault();
              section.scrollIntoView();
              section.querySelector("h2").focus({ preventScroll: true });
            },
          }),
        ),
      );
    }
    replace(
      nav,
      el("ol", {}, entries),
      el("p", { class: "note" }, "Made by q3dissect. Opens from disk and loads nothing from a network."),
    );
  };
  draw();
}
