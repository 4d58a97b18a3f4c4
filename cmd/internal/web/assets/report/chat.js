// What was said, to search through.

import { button, el, replace, say, visible, wire } from "../dom.js";
import { clock, plural } from "../format.js";
import { gameText, withoutCodes } from "../colour.js";
import { csvMenu } from "../table.js";

const step = 200;

export function chat(ctx) {
  const lines = (ctx.game?.events ?? []).filter((e) => e.event === "chat" && e.text);
  if (!lines.length) return el("p", { class: "nothing", text: "No chat was seen." });
  const list = el("ol", { class: "lines chat" });
  const count = el("span", { class: "note", role: "status" });
  const search = el("input", {
    type: "search",
    "aria-label": "Search in chat",
    placeholder: "Search",
    oninput: () => {
      shown = step;
      draw();
    },
  });
  const more = button("Show more", () => {
    shown += step;
    draw();
  });
  let shown = step;

  function fits(e) {
    const wanted = search.value.toLowerCase();
    return (
      ctx.inside(e.t) &&
      (!wanted || (ctx.name(e.player) + " " + withoutCodes(e.text) + " " + e.text).toLowerCase().includes(wanted))
    );
  }

  function draw() {
    const found = lines.filter(fits);
    say(count, plural(found.length, "line") + (found.length < lines.length ? " of " + lines.length : ""));
    replace(
      list,
      found.slice(0, shown).map((e) => {
        const p = ctx.player(e.player);
        const mark = p ? ctx.mark(e.player) : null;
        const sign = mark && el("span", { "aria-hidden": "true", text: mark.sign + " " });
        if (sign) sign.style.color = mark.colour;
        return el(
          "li",
          {},
          el("span", { class: "mono" }, ctx.secondLink(e.t, clock(e.t)), " "),
          e.match_time === undefined
            ? null
            : el("span", { class: "channel", text: "(match " + clock(e.match_time) + ") " }),
          e.what && e.what !== "say" ? el("span", { class: "channel", text: e.what + " " }) : null,
          p
            ? el("span", { class: "speaker" }, sign, gameText(p.name || ctx.name(e.player), ctx.coded))
            : el("span", { class: "speaker", text: "server" }),
          e.other !== undefined ? [" to ", wire(ctx.name(e.other))] : null,
          ": ",
          gameText(e.text.replace(/\n+$/, ""), ctx.coded),
        );
      }),
    );
    more.hidden = found.length <= shown;
  }

  ctx.watch(draw, "chat");
  draw();
  const columns = [
    { key: "time", type: "number" },
    { key: "match_time", type: "number" },
    { key: "frame", type: "integer" },
    { key: "channel", type: "string" },
    { key: "name", type: "string" },
    { key: "text", type: "string" },
  ];
  const rows = () =>
    lines
      .filter(fits)
      .map((e) => [e.t, e.match_time ?? null, e.frame, e.what ?? null, visible(ctx.name(e.player)), e.text]);
  return [
    el("div", { class: "tools" }, search, count, csvMenu("chat", { title: "chat", columns, rows })),
    el("p", {
      class: "note",
      text:
        "Times are those of the time line" +
        (lines.some((e) => e.match_time !== undefined) ? "; in brackets the clock of the match." : "."),
    }),
    list,
    more,
  ];
}
