// The first page of the viewer without a server: where files go, what happens to them, samples, and what can be asked.

import { add, button, el, say, visible } from "../assets/dom.js";

/** Samples that lie beside the page. Those with a title are shown as such. */
const samples = {
  duel: {
    file: "71-duel.dm_71",
    title: "A duel",
    about: "Two bots fight until one has six kills: a whole demo. Result, kills, and the paths of both over the map.",
  },
  middle: {
    file: "68-midsession.pcap",
    title: "A capture begun mid-game",
    about: "Enciphered, and the handshake with the key is missing. The key is recovered from the packets themselves.",
  },
  reflection: {
    file: "71-reflection.pcap",
    title: "A reflection attack",
    about:
      "Queries in a victim's name make a game server send to it. Who asks, how often, and a firewall rule against it.",
  },
  loss: { file: "68-loss.pcap" },
};

/** What can be asked: each is shown with a sample. section: of its report; show: what the viewer's address has then. */
const questions = [
  { text: "Who won, and how?", sample: "duel", section: "matches" },
  { text: "Where did everybody go, and where did they die?", sample: "duel", section: "map" },
  { text: "What happened, in order?", sample: "duel", show: { panel: "events" } },
  {
    text: "Which packets carry a kill?",
    sample: "duel",
    show: { filter: "quake3.server_message.ops.snapshot.entities.e_type_name == event_obituary" },
  },
  {
    text: "Which bits name the weapon that killed?",
    sample: "duel",
    show: { frame: "117", field: "quake3.server_message.ops[1].snapshot.entities[5].event_parm" },
  },
  {
    text: "How did the winner's health change?",
    sample: "duel",
    show: { panel: "plot", plot: "quake3.server_message.ops.snapshot.player_state.stats.0" },
  },
  {
    text: "Can a game be read whose beginning is missing?",
    sample: "middle",
    show: { filter: "expert.code == key_recovered" },
  },
  { text: "Who lost packets, and in which direction?", sample: "loss", section: "lagometer" },
  { text: "Who asks a server too often?", sample: "reflection", show: { panel: "statistics", z: "drdos" } },
  { text: "Where does the bandwidth go?", sample: "duel", section: "bits" },
];

/**
 * The page. openFiles(files); openSample(file, {section, show}); it gives {element, say(text), fail(text)}: say shows
 * what is going on, fail why files cannot be opened.
 */
export function welcome({ openFiles, openSample }) {
  const status = el("p", { class: "note", role: "status" });
  const fault = el("p", { class: "severity-error", role: "alert", hidden: true });
  const chooser = el("input", {
    type: "file",
    multiple: true,
    id: "files",
    class: "visually-hidden",
    "aria-label": "Choose captures or demos",
    onchange: () => {
      const chosen = [...chooser.files];
      chooser.value = ""; // the same file again is a choice, too
      if (chosen.length) openFiles(chosen);
    },
  });
  const hex = el("textarea", {
    id: "hex",
    rows: "5",
    spellcheck: "false",
    placeholder: "ff ff ff ff 67 65 74 73 74 61 74 75 73 0a",
  });
  const start = (question) => openSample(samples[question.sample].file, question);

  const element = el(
    "main",
    { class: "welcome" },
    el(
      "div",
      { class: "hero" },
      el(
        "div",
        {},
        el("h1", { text: "q3dissect" }),
        el("p", {
          class: "lead",
          text:
            "Open a packet capture or a demo of a game: see who won, who said what, who lagged and why, down to " +
            "the bits that prove it.",
        }),
        el(
          "label",
          { class: "drop", for: "files" },
          el("strong", { class: "with-mouse", text: "Drop files anywhere on this page" }),
          el("span", { class: "choose", text: "Choose files" }),
          chooser,
          el("span", {
            class: "note",
            text:
              "Captures: pcap and pcapng. Demos: .dm_68 and its relatives, Teeworlds and DDNet demos, ghosts, " +
              "teehistorian. Also packed with gzip, zstd or xz.",
          }),
        ),
        fault,
        status,
        el(
          "p",
          { class: "private" },
          el("strong", { text: "Your files stay on your machine:" }),
          " this page reads them itself and sends nothing anywhere.",
        ),
        el("p", {
          class: "note",
          text:
            "Quake III Arena, Quake Live, Return to Castle Wolfenstein, Enemy Territory, Jedi Outcast, Jedi " +
            "Academy, Medal of Honor, Teeworlds, DDNet, and games with GameStudio, ENet or DirectPlay 8.",
        }),
        el(
          "details",
          {},
          el("summary", { text: "Or paste a packet as hexadecimal digits" }),
          el("label", { for: "hex", class: "visually-hidden", text: "Packet as hexadecimal digits" }),
          hex,
          button("Dissect", () => openFiles([new File([hex.value], "pasted.txt")])),
        ),
      ),
      el(
        "figure",
        { class: "picture" },
        el(
          "picture",
          {},
          el("source", { srcset: "pictures/site-map-dark.png", media: "(prefers-color-scheme: dark)" }),
          el("img", {
            src: "pictures/site-map.png",
            width: "592",
            height: "512",
            alt:
              "A map from above with the paths of two players in two colours, and a cross where one killed the " +
              "other",
          }),
        ),
        el("figcaption", {
          class: "note",
          text: "From the report of the duel below: both players' paths, and every kill.",
        }),
      ),
    ),
    el(
      "section",
      { "aria-labelledby": "samples-title" },
      el("h2", { id: "samples-title", text: "No file at hand? Try one of these" }),
      el(
        "ul",
        { class: "samples" },
        Object.entries(samples)
          .filter(([, s]) => s.title)
          .map(([sample, { title, about }]) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", "data-sample": sample, onclick: () => start({ sample }) },
                el("strong", { text: title }),
                el("span", { text: about }),
              ),
            ),
          ),
      ),
    ),
    el(
      "section",
      { "aria-labelledby": "questions-title" },
      el("h2", { id: "questions-title", text: "What you can ask" }),
      el("p", {
        class: "note",
        text: "Each of these shows the answer with a sample; those with ↗ open a report in a tab of its own.",
      }),
      el(
        "ul",
        { class: "questions" },
        questions.map((q) =>
          el(
            "li",
            {},
            button(q.text + (q.section ? " ↗" : ""), () => start(q), { class: "plain link" }),
          ),
        ),
      ),
    ),
    el("p", {
      class: "note",
      text:
        "The same program runs in a terminal, where it also follows live captures, searches folders and writes " +
        "JSON, CSV, SQL tables and demos.",
    }),
  );

  return {
    element,
    say(text) {
      say(status, text);
      fault.hidden = true;
    },
    fail(lines) {
      say(status, "");
      fault.replaceChildren();
      add(
        fault,
        lines.map((line) => el("span", { class: "line", text: visible(line) })),
      );
      fault.hidden = false;
      fault.scrollIntoView({ block: "nearest" });
    },
  };
}
