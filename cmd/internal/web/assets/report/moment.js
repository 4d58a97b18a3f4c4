// What a click on a point of a picture shows: the records there, the events around it, and how to see a whole record.

import { button, el, replace, visible, wire } from "../dom.js";
import { clock, number, words } from "../format.js";
import { frame, frameAddress } from "../frame.js";
import { gameText } from "../colour.js";

const shownLines = 400;
const shownRecords = 12;
const around = 5; // seconds

/** A place below a plot for what a click shows. */
export function momentBox() {
  return el("div", { class: "around", "aria-live": "polite" });
}

/** Shows what happened around a moment, and the record of a frame, if one is named. */
export function moment(ctx, box, t, n) {
  const near = (ctx.game?.events ?? []).filter((e) => Math.abs(e.t - t) <= around);
  const known = n !== undefined && n !== null && !ctx.file.laid; // runs of several inputs have no records of their own
  replace(
    box,
    el("h3", { text: known ? title(ctx, n) : `${around} seconds before and after ${clock(t, 1)}` }),
    known ? record(ctx, t, n) : null,
    known ? el("h4", { text: `Events within ${around} seconds of it` }) : null,
    near.length ? lines(ctx, near, t) : el("p", { class: "note", text: "No event of the game then." }),
    ctx.game?.replays?.length ? el("p", {}, ctx.secondLink(t, `▶ Replay at ${clock(t, 1)}`)) : null,
    button("Close", () => replace(box), { class: "small" }),
  );
  box.scrollIntoView({ block: "nearest" });
}

/** Lists the events within the window. */
export function eventsInWindow(ctx, box) {
  const events = ctx.game.events.filter((e) => ctx.inside(e.t));
  replace(
    box,
    el("h3", { text: "Events in the window" }),
    lines(ctx, events, null),
    button("Close", () => replace(box), { class: "small" }),
  );
}

function title(ctx, n) {
  return (ctx.file.recording ? "Message " : "Frame ") + n;
}

/** The lines of the list around a frame, as far as the page has them. */
function record(ctx, t, n) {
  const all = ctx.pictures.excerpt ?? [];
  const at = all.findIndex((l) => l.frame === n);
  const from = Math.max(0, at - shownRecords / 2);
  const near = (at < 0 ? all : all.slice(from, from + shownRecords))
    .filter((l) => l.frame === n || Math.abs(l.t - t) <= 1)
    .slice(0, shownRecords);
  const name = ctx.file.name.replace(/^.*\//, "");
  const way = { client_to_server: "→ server", server_to_client: "→ client" };
  const link = frame(n, ctx.fileNumber);
  return [
    near.length
      ? el(
          "div",
          { class: "scroll", tabindex: "0", role: "region", "aria-label": "Records" },
          el(
            "table",
            {},
            el(
              "tbody",
              {},
              near.map((l) =>
                el(
                  "tr",
                  { class: l.frame === n ? "now" : null },
                  el("td", { class: "number" }, frame(l.frame, ctx.fileNumber)),
                  el("td", { class: "number", text: clock(l.t, 3) }),
                  el("td", { text: ctx.file.recording ? "" : "stream " + l.stream }),
                  el("td", { text: way[l.direction] ?? "" }),
                  el("td", { text: l.protocol }),
                  el("td", { class: "number", text: number(l.length) + " B" }),
                  el("td", {}, wire(l.info)),
                ),
              ),
            ),
          ),
        )
      : null,
    el(
      "p",
      { class: "note" },
      "All of it, field by field: ",
      el("code", { text: `q3dissect -V --frames ${ctx.file.recording ? n + 1 : n} ${visible(name)}` }),
      ", or in the viewer (",
      el("code", { text: "q3dissect view " + visible(name) }),
      ") the address ",
      link instanceof Node ? link : el("code", { text: frameAddress(n, ctx.fileNumber) }),
      ".",
    ),
  ];
}

function lines(ctx, events, t) {
  return [
    el(
      "ol",
      { class: "lines" },
      events
        .slice(0, shownLines)
        .map((e) =>
          el(
            "li",
            { class: t !== null && Math.abs(e.t - t) < 0.01 ? "now" : null },
            el("span", { class: "mono" }, ctx.secondLink(e.t), " "),
            el("span", { class: "kind", text: words(e.event) + " " }),
            e.event === "chat" && e.text
              ? [wire(ctx.name(e.player)), ": ", gameText(e.text, ctx.coded)]
              : wire(e.info ?? ""),
            ctx.file.laid
              ? null
              : el(
                  "span",
                  { class: "note", text: "  " + (ctx.file.recording ? "message " : "frame ") },
                  frame(e.frame, ctx.fileNumber),
                ),
          ),
        ),
    ),
    events.length > shownLines
      ? el("p", { class: "note", text: "and more: narrow the window, or take the table" })
      : null,
  ];
}

/** Calls with the time of a click anywhere in a chart whose x axes are times. */
export function onTime(chart, action) {
  chart.getZr().on("click", (event) => {
    const at = [event.offsetX, event.offsetY];
    const grids = chart.getOption().grid.length;
    for (let i = 0; i < grids; i++) {
      if (chart.containPixel({ gridIndex: i }, at))
        return action(chart.convertFromPixel({ xAxisIndex: i }, event.offsetX));
    }
  });
}

/** Pauses of the game as shades over a plot: the markArea of one of its series. */
export function pauseShades(ctx, ink) {
  return (ctx.game?.pauses ?? []).map(([from, to]) => [
    { xAxis: from, name: "pause", itemStyle: { color: ink } },
    { xAxis: to },
  ]);
}
