// The replay of the report as a panel: it follows the packet that is shown, and leads to the records of its states.
// Nothing of it is loaded before it is opened.

import { el, replace, say } from "../assets/dom.js";

let library = null;

/** Loads the modules and the style of the replay, once. */
function loadReplay() {
  library ??= Promise.all([
    import("../assets/report/replay.js"),
    import("../assets/report/context.js"),
    import("../assets/report/choose.js"),
    import("../assets/report/unpack.js"),
    import("../assets/frame.js"),
    new Promise((done, failed) => {
      document.head.append(
        el("link", {
          rel: "stylesheet",
          href: new URL("../assets/report/replay.css", import.meta.url).href,
          onload: done,
          onerror: () => failed(new Error("the style of the replay cannot be loaded")),
        }),
      );
    }),
  ]).then((modules) => Object.assign({}, ...modules.filter(Boolean).map((m) => ({ ...m }))));
  return library;
}

/** Shows the replay in the panel, at the packet that is shown. */
export async function showReplay(panels) {
  say(panels.title, "Replay");
  const { turn } = panels;
  const paper = el("div", { class: "tables replay-paper" });
  replace(panels.body, paper);
  if (!panels.document) say(panels.note, "reading all of the input");
  try {
    const { unpack, dataOf, ...used } = await loadReplay();
    if (turn !== panels.turn) return;
    // A later panel has the same document: the inputs do not change.
    panels.document ??= panels.report().then((page) => unpack(dataOf(page)));
    panels.document.catch(() => (panels.document = null)); // and is asked for again
    const doc = await panels.document;
    if (turn !== panels.turn) return;
    say(panels.note, "");
    panels.figure = replayFigure(panels, paper, doc, used);
    const row = panels.now();
    if (row) panels.figure.follow(row);
    panels.focus();
  } catch (fault) {
    if (turn === panels.turn) replace(panels.note, el("span", { class: "severity-error", text: fault.message }));
  }
}

/** Draws the replay into an element: {follow(row), stop()}. */
function replayFigure(panels, paper, doc, { replay, context, choose, leadFrames }) {
  const ctx = context(doc, { within: true });
  const open = (frame, file) => {
    if (panels.wide.replay) panels.widen(false); // its bits are seen beside the panel
    panels.goFrame(frame, file);
  };
  leadFrames(open);
  ctx.openRecord = (frame) => open(frame, ctx.fileNumber);
  let played = null;
  const draw = () => {
    replace(panels.tools, choose(ctx, draw));
    replace(paper, replay(ctx));
    played = paper.querySelector(".replay-stage");
  };
  draw();
  return {
    follow(row) {
      const file = row.file ?? 0;
      const chosen = () => ctx.fileNumber + " " + ctx.gameNumber;
      const was = chosen();
      if (file !== ctx.fileNumber) ctx.choose(file, 0);
      const state = ctx.stateOf(row.number);
      if (state && state.game !== ctx.gameNumber) ctx.choose(file, state.game);
      if (chosen() !== was) draw();
      say(panels.note, state || !played ? "" : "No state of the game is in this packet, or shortly before it.");
      if (state) ctx.goSecond(state.t, true);
    },
    stop: () => replace(paper),
  };
}
