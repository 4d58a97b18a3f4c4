// Packets that the user marked. Their numbers are in the page's address, and nowhere else.

const most = 1000;

export class Marks {
  /** changed() is called when others are marked. */
  constructor(changed) {
    this.changed = changed;
    this.places = []; // [file, number], in the order of the list
  }

  has(row) {
    return this.places.some(([file, number]) => file === (row.file ?? 0) && number === row.number);
  }

  /** Marks a packet, or no longer. It reports whether there was room for it. */
  toggle(row) {
    const file = row.file ?? 0;
    if (this.has(row)) this.places = this.places.filter(([f, n]) => f !== file || n !== row.number);
    else if (this.places.length >= most) return false;
    else this.places = [...this.places, [file, row.number]].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.changed();
    return true;
  }

  clear() {
    this.places = [];
    this.changed();
  }

  /** The packet that is marked after a row, or before it; from the ends on to the other end. */
  next(row, backwards) {
    const order = (place) => place[0] - (row?.file ?? 0) || place[1] - (row?.number ?? -1);
    return backwards
      ? (this.places.findLast((p) => order(p) < 0) ?? this.places.at(-1))
      : (this.places.find((p) => order(p) > 0) ?? this.places[0]);
  }

  /** As the address has them: 7,26-28, of other files than the first 1:7,26. */
  get text() {
    return this.byFile()
      .map(([file, numbers]) => (file ? file + ":" : "") + ranges(numbers, "-").join(","))
      .join(";");
  }

  set text(text) {
    const places = [];
    for (const part of (text ?? "").split(";").filter(Boolean)) {
      const [, file = 0, numbers] = /^(?:(\d+):)?([\d,-]+)$/.exec(part) ?? [];
      for (const range of (numbers ?? "").split(",")) {
        const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
        for (let n = Number(from); n <= Number(to) && places.length < most; n++) places.push([Number(file), n]);
      }
    }
    if (JSON.stringify(places) === JSON.stringify(this.places)) return;
    this.places = places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.changed();
  }

  /** A filter that the marked packets of these inputs match, and no other. */
  filter(files) {
    const of = files.length > 1 ? (file) => `file == ${JSON.stringify(files[file].file)} and ` : () => "";
    const parts = this.byFile()
      .filter(([file]) => files[file])
      .map(
        ([file, numbers]) =>
          `${of(file)}${files[file].demo ? "demo_message" : "frame"} in {${ranges(numbers, "..").join(", ")}}`,
      );
    return parts.length > 1 ? parts.map((p) => `(${p})`).join(" or ") : (parts[0] ?? "");
  }

  byFile() {
    const files = new Map();
    for (const [file, number] of this.places) files.set(file, [...(files.get(file) ?? []), number]);
    return [...files];
  }
}

/** Numbers that rise, as ranges: 7, 26..28. */
function ranges(numbers, between) {
  const spans = [];
  for (const n of numbers) {
    if (spans.length && spans.at(-1)[1] === n - 1) spans.at(-1)[1] = n;
    else spans.push([n, n]);
  }
  return spans.map(([from, to]) => (from === to ? String(from) : from + between + to));
}
