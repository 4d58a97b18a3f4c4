// What the page remembers when it is loaded again in the same tab, beside what stands in its address: the sizes of the
// panes, and which fields are open.

/** What was kept under a name, or a value. */
export function recall(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem("q3dissect-" + name)) ?? otherwise;
  } catch {
    return otherwise; // the browser keeps nothing for this page, or something else
  }
}

/** Keeps a value under a name. */
export function keep(name, value) {
  try {
    sessionStorage.setItem("q3dissect-" + name, JSON.stringify(value));
  } catch {
    // the browser keeps nothing for this page
  }
}
