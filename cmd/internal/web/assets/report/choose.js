// Which of several inputs and servers is looked at.

import { el, visible } from "../dom.js";
import { plural } from "../format.js";

/** Where there are several inputs or servers: which one the page is about. */
export function choose(ctx, draw) {
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
