// The panels of lines that the program makes in the background: what happens in the games, and one conversation.

import { button, el, replace, say, wire } from "../assets/dom.js";

/** Shows what happens in the games. */
export function showEvents(panels) {
  say(panels.title, "Events");
  const { files } = panels.status();
  const fileOf = (line) =>
    Math.max(
      0,
      files.findIndex((f) => f.file === line.file),
    );
  const { turn } = panels;
  panels.players.known().then(
    () => turn === panels.turn && panels.list.redraw(),
    () => {},
  ); // without them there are no signs
  panels.lines({
    label: "Events",
    question: "events",
    args: {},
    empty: "Nothing happens in the games of these inputs, or they are not known to the end.",
    draw: ({ line }) => [
      cell(
        "at",
        line.time_relative !== undefined
          ? line.time_relative.toFixed(3)
          : line.server_time !== undefined
            ? (line.server_time / 1000).toFixed(3)
            : "",
      ),
      cell("kind", String(line.event ?? "").replaceAll("_", " ")),
      el(
        "span",
        { class: "cell what", role: "gridcell" },
        panels.players.signs(fileOf(line), line),
        wire(line.info ?? ""),
      ),
    ],
  });
}

/** Shows the conversation of the chosen packet. */
export function showConversation(panels) {
  const row = panels.now();
  if (!row || row.stream < 0) {
    say(panels.title, "Conversation");
    say(panels.note, "Choose a packet of a conversation first.");
    return;
  }
  say(panels.title, row.source ? `Conversation ${row.stream}` : "Recording");
  const every = !!panels.everyPacket;
  const all = button(
    "every packet",
    () => {
      panels.everyPacket = !every;
      panels.open("follow");
      panels.tools.querySelector("[aria-pressed]").focus();
    },
    {
      class: "small",
      "aria-pressed": String(every),
      title: "A line for each packet, or counts of what both sides send all the time",
    },
  );
  replace(
    panels.tools,
    all,
    " ",
    row.source ? button("as filter", () => panels.filter(`stream == ${row.stream}`), { class: "small" }) : null,
  );
  panels.lines({
    label: "Conversation",
    question: every ? "follow" : "talk",
    args: { file: row.file ?? 0, stream: row.stream },
    empty: "Nothing was said.",
    noun: every ? "packet" : "line",
    draw: ({ line }, element) => {
      const kind = line.routine ? "routine" : (line.from ?? "");
      element.className = `line event said ${kind}${element.ariaSelected === "true" ? " selected" : ""}`;
      const arrow = { client: "→", server: "←" }[line.from];
      return [
        cell("at", line.time !== undefined ? line.time.toFixed(3) : String(line.frame)),
        el(
          "span",
          { class: "cell what", role: "gridcell" },
          arrow
            ? el("span", { class: "arrow", role: "img", "aria-label": line.from, text: arrow + " " })
            : line.routine
              ? "⋯ "
              : null,
          wire(line.text ?? ""),
        ),
      ];
    },
  });
}

function cell(name, text) {
  return el("span", { class: "cell " + name, role: "gridcell" }, wire(text));
}
