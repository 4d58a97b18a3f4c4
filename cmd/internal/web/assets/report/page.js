// The page of a report: unpacks its document and shows it, section by section.

import { add, el, replace, visible } from "../dom.js";
import { plural } from "../format.js";
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

/** The document in the page: JSON around base64 of gzip of JSON. */
export async function unpack(text) {
  const packed = JSON.parse(text);
  const bytes = Uint8Array.from(atob(packed.data), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

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

/** Where there are several inputs or servers: which one the page is about. */
function choose(ctx, draw) {
  const box = el("div", { class: "choose" });
  if (ctx.doc.files.length > 1) {
    box.append(
      picker(
        "Input",
        ctx.doc.files.map((f) => f.name),
        ctx.fileNumber,
        (n) => {
          ctx.choose(n, 0);
          draw();
        },
      ),
    );
  }
  const games = ctx.pictures.games ?? [];
  if (games.length > 1) {
    box.append(
      picker(
        "Server",
        games.map(
          (g) =>
            (g.server ?? g.protocol) +
            (g.maps?.length ? ", " + g.maps[0].map : "") +
            ", " +
            plural(g.players.length, "player"),
        ),
        ctx.gameNumber,
        (n) => {
          ctx.choose(ctx.fileNumber, n);
          draw();
        },
      ),
    );
  }
  return box.firstChild ? box : null;
}

function picker(label, names, chosen, action) {
  const select = el(
    "select",
    { onchange: () => action(select.selectedIndex) },
    names.map((name, i) => el("option", { value: String(i), selected: i === chosen, text: visible(name) })),
  );
  return el("label", {}, label + " ", select);
}
