// Going to a packet: that of an address, or of a line that leads to it. What is asked for last is shown, however late
// the answers to earlier questions come.

export class Travel {
  constructor(viewer) {
    this.viewer = viewer;
    this.opening = true; // the address that the page was opened with was not followed to its end
    this.arriving = false; // columns, order and marks are those of an address, and the rest is not yet
    this.wish = null; // what was asked for last
  }

  /** Goes to what an address says, unless something else is asked for meanwhile. */
  async go(wanted) {
    const wish = (this.wish = {});
    this.arriving = true;
    if ("columns" in wanted) this.viewer.columns.set(wanted.columns);
    if ("sort" in wanted) this.viewer.columns.sortBy(wanted.sort);
    if ("marks" in wanted) this.viewer.marks.text = wanted.marks;
    this.arriving = false;
    if ((wanted.filter ?? "") !== this.viewer.filter || this.opening) {
      const right = await this.viewer.filterBar.begin(wanted.filter ?? "");
      if (wish !== this.wish) return;
      await this.viewer.setFilter(right ? (wanted.filter ?? "") : "", true);
      if (wish !== this.wish) return;
    }
    if (wanted.field) this.viewer.tree.want(wanted.field);
    await this.goPacket(wanted, wish);
    if (wish !== this.wish) return;
    this.opening = false;
    if ("panel" in wanted) this.viewer.panels.show(wanted);
    if (this.viewer.row) this.viewer.write();
  }

  /** Goes to the packet of an address. */
  async goPacket(wanted, wish) {
    if (wanted.frame === undefined) {
      if (this.opening && this.viewer.list.many) await this.viewer.list.select(0);
      else if (this.opening) this.viewer.selectFirst = true;
      return;
    }
    if (this.viewer.row?.number === wanted.frame && (this.viewer.row?.file ?? 0) === (wanted.file ?? 0)) {
      if (wanted.field) this.viewer.tree.reveal(wanted.field);
      return;
    }
    try {
      const found = await this.find(wanted.file ?? 0, wanted.frame);
      if (wish === this.wish) await this.goRow(found.row, "address", wish);
    } catch (fault) {
      this.viewer.fail(fault);
    }
  }

  /** Finds the row of a frame; while the inputs are read it may yet come. */
  async find(file, frame) {
    for (;;) {
      const { done } = this.viewer.status;
      try {
        const found = await this.viewer.carrier.ask("find", { file, number: frame });
        if (found.exact || done) return found;
      } catch (fault) {
        if (done) throw fault;
      }
      await new Promise((again) => setTimeout(again, 150));
      this.viewer.takeStatus(await this.viewer.carrier.ask("status"));
    }
  }

  /** Goes to a row, whatever the filter: one that does not match ends it, once the search has come so far. */
  async goRow(row, how = "link", wish = null, again = 3) {
    if (!wish) [wish, this.opening] = [(this.wish = {}), false];
    const { filterDone } = this.viewer;
    const { row: at, exact, left } = await this.placeOf(row);
    if (wish !== this.wish) return;
    if (left) return this.goRow(row, how, wish);
    if (!exact && !filterDone && at >= this.viewer.list.many) {
      await new Promise((later) => setTimeout(later, 150));
      await this.viewer.askFilter();
      return wish === this.wish ? this.goRow(row, how, wish) : undefined;
    }
    if (this.viewer.filter && !exact) {
      this.viewer.filterBar.show("");
      await this.viewer.setFilter("", true);
      return this.goRow(row, how, wish);
    }
    this.viewer.list.show(at, true);
    const there = await this.viewer.list.select(at, how, (item) => !exact || item.row === row || !again);
    if (there !== false || wish !== this.wish) return;
    this.viewer.list.forget(); // it was sorted meanwhile
    return this.goRow(row, how, wish, again - 1);
  }

  /** The place of a row in the list: {row, exact}, and left if the list is that of another filter since. */
  async placeOf(row) {
    const {
      filter,
      columns: { sort },
    } = this.viewer;
    const place = await this.viewer.carrier.ask("place", { row, filter, sort });
    place.left = filter !== this.viewer.filter;
    const { list } = this.viewer;
    if (place.exact && !place.left && place.row >= list.many) list.grow(place.row + 1); // its rows have not come yet
    return place;
  }
}
