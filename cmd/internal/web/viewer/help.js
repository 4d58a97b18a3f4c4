// The keys, as in Wireshark where it has them.

import { button, el } from "../assets/dom.js";

const keys = [
  ["↑ ↓", "the packet before, after"],
  ["Page Up, Page Down, Space", "a page"],
  ["Home, End", "the first, the last packet"],
  ["Ctrl ↑, Ctrl ↓", "the packet before, after, wherever you are"],
  ["Ctrl , and Ctrl .", "the packet of the same conversation before, after"],
  ["Ctrl G", "go to a packet by its number"],
  ["/ or Ctrl F", "the filter; ↑ ↓ choose a proposal, Tab or Enter takes it, Esc leaves"],
  ["Alt ↓ in the filter", "the filters used and saved; Delete forgets one"],
  ["1, 2, 3", "to the list, the fields, the bytes"],
  ["← →", "close and open a field; in the bytes the byte before, after"],
  ["M, or Shift F10", "the menu of a field: filter, column, plot over time, copy"],
  ["M in the list, or Ctrl M", "mark the packet; N the next mark, Shift N the one before"],
  ["Shift F10 in the list", "the menu of the packet"],
  ["X", "export what the list shows: CSV, JSON, pcapng"],
  ["E, F, S, R", "events, follow the conversation, statistics, the replay"],
  ["Esc", "close a panel"],
  ["?", "these keys"],
];

export class Help {
  constructor() {
    this.element = el(
      "dialog",
      { class: "help", "aria-labelledby": "help-title" },
      el("h2", { id: "help-title", text: "Keys" }),
      el(
        "dl",
        {},
        keys.map(([key, does]) => [el("dt", { text: key }), el("dd", { text: does })]),
      ),
      el("p", {
        class: "note",
        text: "The address of the page says what is shown: send it to somebody who has the same file open, or keep it.",
      }),
      button("Close", () => this.element.close()),
    );
  }

  open() {
    if (!this.element.open) this.element.showModal();
  }
}
