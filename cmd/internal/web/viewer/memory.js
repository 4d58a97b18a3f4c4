// What the page remembers beside what is in its address. In the same tab, when it is loaded again: the sizes of the
// panes, and which fields are open. Filters are kept longer, see filters.js.

/** What was kept under a name, or a value. */
export function recall(name, otherwise, storage = tabStorage()) {
  try {
    return JSON.parse(storage.getItem("q3dissect-" + name)) ?? otherwise;
  } catch {
    return otherwise; // the browser keeps nothing for this page, or something else
  }
}

/** Keeps a value under a name. */
export function keep(name, value, storage = tabStorage()) {
  try {
    storage.setItem("q3dissect-" + name, JSON.stringify(value));
  } catch {
    // the browser keeps nothing for this page
  }
}

function tabStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
