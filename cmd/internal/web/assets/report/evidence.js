// Evidence: which bytes were read with what, and what is not known.

import { el, wire } from "../dom.js";
import { number } from "../format.js";
import { frame } from "../frame.js";
import { table } from "../table.js";

export function evidence(ctx) {
  const e = ctx.doc.evidence ?? { inputs: [], packets: {}, program: {}, arguments: [] };
  const { expert } = ctx.file.statistics;
  const severity = expert.columns.findIndex((c) => c.key === "severity");
  const columns = [
    { key: "name", type: "string" },
    { key: "size", type: "integer", unit: "bytes" },
    { key: "sha256", type: "string" },
    { key: "packets", type: "integer" },
    { key: "first_time", type: "string" },
    { key: "last_time", type: "string" },
  ];
  const rows = e.inputs.map((i) => columns.map((c) => i[c.key] ?? null));
  const program = [
    e.program.name,
    e.program.version,
    e.program.revision,
    e.program.go,
    [e.program.os, e.program.arch].filter(Boolean).join("/"),
  ]
    .filter(Boolean)
    .join(" ");
  const p = e.packets;
  const demos = ctx.doc.files.every((f) => f.recording);
  if (demos) columns.find((c) => c.key === "packets").name = "messages";
  return [
    el("h3", { text: "What was read" }),
    table(columns, rows, {
      caption: "Inputs",
      csv: { title: "inputs" },
      show: (v, c) =>
        c.key.endsWith("_time") && v
          ? v.replace("T", " ").replace("Z", " UTC")
          : c.key === "sha256" && v
            ? el("code", { class: "digest", text: v })
            : undefined,
    }),
    e.interrupted && el("p", {}, "The run was interrupted: the rest of the inputs was not read."),
    p &&
      el(
        "p",
        {},
        demos
          ? `Of all inputs: ${number(p.read)} messages read, ` +
              `${number(p.decoded)} decoded, ${number(p.damaged)} damaged.`
          : `Of all inputs: ${number(p.read)} packets read, ${number(p.decoded)} of them datagrams of games, ` +
              `which were decoded, ${number(p.damaged)} damaged, ` +
              `${number(p.undecoded)} datagrams of no known protocol.`,
      ),
    el(
      "p",
      {},
      "By ",
      wire(program),
      e.arguments?.length ? [", with the arguments ", el("code", {}, wire(e.arguments.join(" ")))] : null,
      ". The same program makes the same report of the same bytes.",
    ),
    consistency(ctx, e.consistency ?? []),
    el("h3", { text: "What is odd or damaged" }),
    expert.rows.length
      ? table(expert.columns, expert.rows, {
          caption: "Expert entries, grouped",
          csv: { title: "Expert entries" },
          show: (v, c, row) =>
            c.key === "severity" ? el("span", { class: "severity-" + row[severity], text: v }) : undefined,
        })
      : el("p", { class: "nothing", text: "Nothing: no expert entry." }),
    el("h3", { text: "What is not known, and why" }),
    ctx.file.unknown.length
      ? el(
          "ul",
          {},
          ctx.file.unknown.map((u) => el("li", {}, wire(u))),
        )
      : el("p", { class: "nothing", text: "Nothing was left out." }),
  ];
}

/** Whether what the input says of itself fits together: counts of checks, and no verdict. */
function consistency(ctx, all) {
  const mine = all.filter((row) => row.file === undefined || row.file === ctx.file.name);
  if (!mine.length) return null;
  const columns = [
    { key: "check", type: "string" },
    { key: "checked", type: "integer" },
    { key: "failed", type: "integer" },
    { key: "first_frame", type: "integer", name: ctx.file.recording ? "first in message" : "first in frame" },
    { key: "meaning", type: "string", name: "what holds" },
  ];
  const rows = mine.map((row) => columns.map((c) => row[c.key] ?? null));
  return [
    el("h3", { text: "Whether its parts agree" }),
    table(columns, rows, {
      caption: "Checks of what the input says of itself",
      csv: { title: "consistency" },
      show: (v, c) => (c.key === "first_frame" && v !== null ? frame(v, ctx.fileNumber) : undefined),
    }),
    el("p", {
      class: "note",
      text: "A failed check says that something is not as the game makes it, and not who did it or why.",
    }),
  ];
}
