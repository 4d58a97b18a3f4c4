// The strip above everything: what the input is, and what is in it, in words.

import { el, wire } from "../dom.js";
import { bytes, duration, number } from "../format.js";

export function strip(ctx) {
  const f = ctx.file;
  const read = ctx.doc.evidence?.inputs?.find((i) => i.name === f.name) ?? {};
  const facts = [
    ["Kind", f.recording ? "demo" : "capture"],
    ["Size", read.size === undefined ? "" : bytes(read.size)],
    ["Begins", read.first_time ? read.first_time.replace("T", " ").slice(0, 19) + " UTC" : ""],
    ["Length", duration(ctx.pictures.clock.length)],
    ["Protocols", f.protocols.slice(0, 4).join("; ") + (f.protocols.length > 4 ? "; ..." : "")],
    ["Servers", String(ctx.pictures.games.filter((g) => g.server).length || "")],
    [
      "Players, spectators",
      String(
        new Set(ctx.pictures.games.flatMap((g) => g.players.filter((p) => p.name_clean).map((p) => p.name_clean)))
          .size || "",
      ),
    ],
    ["Matches", String(f.matches.length || "")],
    [f.recording ? "Messages" : "Game datagrams", number(f.game_datagrams)],
    ["Damaged", number(f.damaged)],
  ];
  return el(
    "div",
    { class: "strip" },
    el(
      "p",
      { class: "sentence" },
      f.words.map((w) => [wire(w), " "]),
    ),
    el(
      "dl",
      { class: "facts" },
      facts.filter(([, v]) => v !== "").map(([k, v]) => el("div", {}, el("dt", { text: k }), el("dd", {}, wire(v)))),
    ),
    ctx.doc.filter
      ? el("p", { class: "note" }, "Of the records that match the filter only: ", el("code", { text: ctx.doc.filter }))
      : null,
    ctx.doc.secrets ? el("p", { class: "severity-warning" }, "Passwords are shown in this page.") : null,
  );
}
