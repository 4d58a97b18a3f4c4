// What is shown, in the address: #frame=26&field=quake3.netchan.sequence&filter=... Whoever opens the address sees
// the same.

export class Place {
  /** go is called with the wish when the address changes by hand, or back and forward; signal ends it. */
  constructor(go, signal) {
    // Not "hashchange": it comes later, when the address may be that of a record that was asked for before.
    addEventListener("popstate", () => go(this.read()), { signal });
    this.signal = signal;
  }

  read() {
    const query = new URLSearchParams(location.hash.slice(1));
    const number = (name) => (/^\d+$/.test(query.get(name) ?? "") ? Number(query.get(name)) : undefined);
    return {
      frame: number("frame"),
      file: number("file"),
      field: query.get("field") || undefined,
      filter: query.get("filter") || "",
      columns: query.get("columns") || "",
      sort: query.get("sort") || "",
      marks: query.get("marks") || "",
      panel: query.get("panel") || undefined,
      plot: query.get("plot") || undefined,
      z: query.get("z") || undefined,
    };
  }

  /** step: back leads to what was shown before. */
  write(state, step) {
    if (this.signal.aborted) return; // the address is that of another page
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(state))
      if (value !== undefined && value !== null && value !== "") query.set(name, value);
    const hash = "#" + query;
    if (hash === location.hash) return;
    history[step ? "pushState" : "replaceState"](null, "", hash);
  }
}
