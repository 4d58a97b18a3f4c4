// Filters that were used and saved. Their texts are all that the page keeps beyond its tab: of a capture nothing else.

import { keep, recall } from "./memory.js";

const most = { recent: 20, saved: 100 };

/**
 * The texts of filters, in the browser's storage for the page's address, so that other tabs and later runs have them.
 */
export class Filters {
  get kept() {
    const { recent = [], saved = [] } = recall("filters", {}, localStorageOf());
    const texts = (list, many) =>
      (Array.isArray(list) ? list.filter((text) => typeof text === "string" && text) : []).slice(0, many);
    return { recent: texts(recent, most.recent), saved: texts(saved, most.saved) };
  }

  change(action) {
    const kept = this.kept;
    action(kept);
    keep(
      "filters",
      { recent: kept.recent.slice(0, most.recent), saved: kept.saved.slice(0, most.saved) },
      localStorageOf(),
    );
  }

  /** Notes that a filter was used. */
  used(text) {
    this.change((kept) => (kept.recent = [text, ...kept.recent.filter((other) => other !== text)]));
  }

  isSaved(text) {
    return this.kept.saved.includes(text);
  }

  /** Saves a filter, or no longer. */
  toggle(text) {
    const saved = this.isSaved(text);
    this.change((kept) => (kept.saved = saved ? kept.saved.filter((other) => other !== text) : [text, ...kept.saved]));
    return !saved;
  }

  /** Forgets a filter, of those that were used and those that are saved. */
  forget(text) {
    this.change((kept) => {
      kept.recent = kept.recent.filter((other) => other !== text);
      kept.saved = kept.saved.filter((other) => other !== text);
    });
  }

  /** Forgets the filters that were used. What is saved stays. */
  clear() {
    this.change((kept) => (kept.recent = []));
  }
}

function localStorageOf() {
  try {
    return localStorage;
  } catch {
    return null; // the browser keeps nothing for this page
  }
}
