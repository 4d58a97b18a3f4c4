// The order of the list: that of the file, or by a column once the program has sorted all packets.

export class Order {
  constructor(viewer) {
    this.viewer = viewer;
    this.begin();
  }

  /** The list has other rows, or another order. */
  begin() {
    this.sorted = false;
    this.unsorted = false; // rows were shown that are not sorted yet
  }

  /** An order that is refused ends, and the list is that of the file. */
  refused(fault, sort) {
    const { columns } = this.viewer;
    if (sort && sort === columns.sort && !fault.filter) {
      columns.sortBy("");
      this.viewer.fail(fault);
    }
    throw fault;
  }

  /** The list is to be sorted by another column: until it is, it has the order of the file. */
  changed() {
    const { viewer } = this;
    this.begin();
    if (!viewer.status) return;
    viewer.list.forget();
    viewer.write();
    viewer.showStatus();
  }

  /** Takes a page of rows: they are sorted, or not yet. */
  takeRows(page, sort) {
    if (!sort || sort !== this.viewer.columns.sort) return;
    this.unsorted ||= !page.sorted;
    this.take(page);
  }

  /** An answer is sorted, or not yet. Once it is, earlier rows are fetched again, and the chosen packet is shown. */
  take({ sorted }) {
    const { viewer } = this;
    if (!sorted === !this.sorted) return;
    this.sorted = !!sorted;
    if (!sorted) return; // it was asked for earlier: watch() has its rows fetched again
    if (this.unsorted) viewer.list.forget();
    this.unsorted = false;
    if (viewer.row) this.showRow(viewer.row.row).catch((fault) => viewer.fail(fault));
    viewer.showStatus();
  }

  /** Asks whether the list is sorted. */
  async watch() {
    const { viewer } = this;
    const {
      filter,
      columns: { sort },
    } = viewer;
    if (!sort || this.sorted) return;
    try {
      const page = await viewer.carrier.ask("rows", { from: 0, count: 0, filter, sort });
      if (sort === viewer.columns.sort && filter === viewer.filter) this.take(page);
    } catch (fault) {
      this.refused(fault, sort);
    }
  }

  /** Marks a place of the list as that of the packet that is shown. */
  async showRow(row) {
    const { viewer } = this;
    const { sort } = viewer.columns;
    const { row: at, exact, left } = await viewer.travel.placeOf(row);
    if (exact && !left && sort === viewer.columns.sort && row === viewer.row.row) viewer.list.mark(at);
  }
}
