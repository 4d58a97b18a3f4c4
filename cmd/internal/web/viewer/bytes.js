// The bytes of a record: the datagram, and the message that was made of it and of other datagrams. A field's bits are
// lit in all of them, and a byte lights the fields that it carries.

import { el, hint, replace, visible } from "../assets/dom.js";
import { plural } from "../assets/format.js";

export class BytesPane {
  /** point(field) is called when a byte is chosen, with the smallest field in it. */
  constructor({ point }) {
    this.point = point;
    this.strip = el("div", { class: "strip", "aria-live": "polite" });
    this.blocks = el("div", {
      class: "blocks",
      tabindex: "0",
      role: "region",
      "aria-label": "Bytes",
      onkeydown: (e) => this.key(e),
    });
    this.element = el("section", { class: "bytes pane", "aria-label": "Bytes" }, this.strip, this.blocks);
    this.perLine = 16;
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  get focusable() {
    return this.blocks;
  }

  fit() {
    const perLine = this.element.clientWidth < 480 ? 8 : 16;
    if (perLine === this.perLine) return;
    this.perLine = perLine;
    const { record, lit } = this;
    if (record) this.show(record);
    if (lit) this.light(lit);
  }

  show(record) {
    this.record = record;
    this.lit = null;
    this.layers = record.layers.map((layer) => ({ ...layer, data: decode(layer.bytes), spans: [], texts: [] }));
    // The message comes first: most fields are in it. Then the datagrams, its own before those of fragments.
    const order = this.layers
      .map((_, i) => i)
      .sort((a, b) => (this.layers[b].name === "message") - (this.layers[a].name === "message") || a - b);
    replace(
      this.blocks,
      order.map((i) => this.block(this.layers[i], i)),
    );
    replace(this.strip, el("span", { class: "note", text: "Choose a field or a byte." }));
  }

  block(layer, index) {
    const message = layer.name === "message";
    const own = index === 0;
    const length =
      layer.length > layer.data.length
        ? `${layer.data.length} of ${plural(layer.length, "byte")}`
        : plural(layer.data.length, "byte");
    const title = message
      ? "Message, whole and deciphered"
      : this.record.source
        ? `Datagram of frame ${layer.frame}`
        : "Message of the recording";
    const lines = [];
    for (let at = 0; at < layer.data.length; at += this.perLine) lines.push(this.line(layer, index, at));
    return el(
      "div",
      { class: "block", "data-layer": String(index) },
      el("h2", {}, title, el("span", { class: "note", text: ` ${length}${own || message ? "" : ", a fragment"}` })),
      el(
        "div",
        {
          class: "hex",
          onclick: (e) => this.clicked(e),
          onpointerover: (e) => this.hovered(e),
          onpointerleave: () => this.hover(null),
        },
        lines.length ? lines : el("p", { class: "note", text: "No bytes." }),
      ),
    );
  }

  line(layer, index, at) {
    const end = Math.min(at + this.perLine, layer.data.length);
    const line = el(
      "div",
      { class: "bytes-line" },
      el("span", { class: "offset", text: at.toString(16).padStart(4, "0") }),
    );
    const hex = el("span", { class: "hexes" });
    const text = el("span", { class: "texts" });
    for (let i = at; i < end; i++) {
      const byte = layer.data[i];
      const span = el("span", {
        class: "byte" + (i % 8 === 0 && i !== at ? " gap" : ""),
        text: byte.toString(16).padStart(2, "0"),
      });
      const character = el("span", {
        class: "byte",
        text: byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·",
      });
      span.at = character.at = [index, i];
      layer.spans.push(span);
      layer.texts.push(character);
      hex.append(span);
      text.append(character);
    }
    line.append(hex, text);
    return line;
  }

  // From fields to bytes

  /** The fields whose bits are lit with a field: itself, and what frames it. */
  around(field) {
    if (field.framing) return [field];
    return [field, ...this.record.fields.filter((f) => f.frames === field.index + 1)];
  }

  /** The runs of bits in which a field travels: [{layer, bit, bits, exact}], in the message and on the wire. */
  runs(field) {
    if (!field.bits) return [];
    const runs = [{ layer: this.index(field.layer), bit: field.bit, bits: field.bits }];
    const from = field.bit;
    const to = field.bit + field.bits;
    if (field.layer === 1) {
      for (const p of this.record.pieces) {
        const begin = Math.max(from, p.message);
        const end = Math.min(to, p.message + p.message_bits);
        if (begin >= end) continue;
        if (p.bits === p.message_bits)
          runs.push({ layer: p.layer, bit: p.wire + begin - p.message, bits: end - begin });
        else runs.push({ layer: p.layer, bit: p.wire, bits: p.bits, symbol: true });
      }
    }
    return runs;
  }

  index(fieldLayer) {
    return fieldLayer === 1
      ? Math.max(
          0,
          this.layers.findIndex((l) => l.name === "message"),
        )
      : 0;
  }

  light(field) {
    if (!this.layers) return;
    this.lit = field;
    this.clear("lit", "lit-part");
    const firsts = new Map();
    for (const run of this.around(field).flatMap((f) => this.runs(f))) {
      const layer = this.layers[run.layer];
      const first = run.bit >> 3;
      const last = (run.bit + run.bits - 1) >> 3;
      for (let i = first; i <= last && i < layer.spans.length; i++) {
        const whole = run.bit <= i << 3 && run.bit + run.bits >= (i + 1) << 3;
        for (const span of [layer.spans[i], layer.texts[i]]) {
          if (!span.classList.contains("lit")) span.classList.add(whole ? "lit" : "lit-part");
        }
      }
      if (!firsts.has(run.layer) && layer.spans[first]) firsts.set(run.layer, layer.spans[first]);
    }
    this.scrollTo([...firsts.values()]);
    this.drawStrip(field);
  }

  scrollTo(spans) {
    if (!spans.length) return;
    const pane = this.blocks.getBoundingClientRect();
    const box = spans[0].getBoundingClientRect();
    if (box.top < pane.top + 24 || box.bottom > pane.bottom)
      this.blocks.scrollTop += box.top - pane.top - pane.height / 3;
  }

  clear(...names) {
    for (const layer of this.layers ?? []) {
      for (const list of [layer.spans, layer.texts]) for (const span of list) span.classList.remove(...names);
    }
  }

  /**
   * The bits of a field one by one, in the bytes that they stand in, and the bytes on the wire that these came from.
   */
  drawStrip(field) {
    if (!field.bits)
      return void replace(this.strip, el("span", { class: "note", text: "Derived: it is not on the wire." }));
    const runs = this.runs(field);
    const shown = [this.stripOf(runs[0], field)];
    const wire = runs.slice(1);
    if (wire.length) shown.push(this.stripOf(wire[0], field, wire));
    replace(this.strip, shown);
  }

  stripOf(run, field, all) {
    const layer = this.layers[run.layer];
    const first = run.bit >> 3;
    const last = (run.bit + run.bits - 1) >> 3;
    const many = last - first + 1;
    const name = layer.name === "message" ? "message" : this.record.source ? `frame ${layer.frame}` : "recording";
    const cells = [];
    const lowest = this.record.lowest_first || run.symbol; // the order in which positions count
    for (let i = first; i <= Math.min(last, first + 7) && i < layer.data.length; i++) {
      const bits = el("span", { class: "bits" });
      for (let k = 0; k < 8; k++) {
        const at = i * 8 + k;
        const inside = at >= run.bit && at < run.bit + run.bits;
        bits.append(
          el("span", { class: inside ? "bit on" : "bit", text: String((layer.data[i] >> (lowest ? k : 7 - k)) & 1) }),
        );
      }
      cells.push(
        el(
          "span",
          { class: "octet", title: `byte ${i}: ${layer.data[i].toString(16).padStart(2, "0")}` },
          el("span", { class: "octet-at", text: i.toString(16).padStart(4, "0") }),
          bits,
        ),
      );
    }
    let more = (many > 8 ? ` … ${many} bytes` : "") + (lowest ? " · lowest bit first" : "");
    if (all) {
      const frames = new Set(all.map((r) => this.layers[r.layer].frame));
      if (frames.size > 1) more += ` and on in frame ${[...frames].slice(1).join(", ")}`;
      if (run.symbol) more += " · a Huffman symbol of " + plural(run.bits, "bit");
      if (all.length > 1) more += ", the first of " + all.length;
      else {
        const from = this.runs(field)[0];
        const key = this.keyOf(from, run);
        if (key) more += ` · cipher: wire ⊕ ${key}`;
      }
    }
    return el(
      "div",
      { class: "strip-line" },
      el("span", { class: "strip-name", text: name }),
      cells,
      el("span", { class: "note", text: more }),
    );
  }

  /** The key bytes between the message and the wire, where they differ. */
  keyOf(message, wire) {
    const from = this.layers[message.layer].data;
    const to = this.layers[wire.layer].data;
    const keys = [];
    const count = Math.min(8, ((wire.bit & 7) + wire.bits + 7) >> 3);
    for (let i = 0; i < count; i++) keys.push(from[(message.bit >> 3) + i] ^ to[(wire.bit >> 3) + i]);
    return keys.some((k) => k) ? keys.map((k) => k.toString(16).padStart(2, "0")).join(" ") : "";
  }

  // From bytes to fields

  /** The fields that have bits in a byte, those of fewest bits first. */
  fieldsAt(layer, byte) {
    const wanted = [];
    const at = byte << 3;
    const ranges = [];
    if (this.layers[layer].name === "message") ranges.push([1, at, at + 8]);
    else {
      if (layer === 0) ranges.push([0, at, at + 8]);
      for (const p of this.record.pieces) {
        if (p.layer !== layer || p.wire >= at + 8 || p.wire + p.bits <= at) continue;
        if (p.bits === p.message_bits)
          ranges.push([
            1,
            p.message + Math.max(at, p.wire) - p.wire,
            p.message + Math.min(at + 8, p.wire + p.bits) - p.wire,
          ]);
        else ranges.push([1, p.message, p.message + p.message_bits]);
      }
    }
    for (const field of this.record.fields) {
      if (!field.bits) continue;
      if (ranges.some(([space, from, to]) => field.layer === space && field.bit < to && field.bit + field.bits > from))
        wanted.push(field);
    }
    return wanted.sort((a, b) => a.bits - b.bits);
  }

  clicked(e) {
    const at = e.target.at;
    if (!at) return;
    const fields = this.fieldsAt(...at);
    if (fields.length) this.point(fields[0]);
  }

  hovered(e) {
    this.hover(e.target.at ?? null);
  }

  hover(at) {
    this.clear("over");
    if (!at) return;
    const [layer, byte] = at;
    const fields = this.fieldsAt(layer, byte);
    const span = this.layers[layer].spans[byte];
    const line = (f) =>
      visible(f.path.split(".").slice(-2).join(".")) + (f.value ? " = " + visible(f.value.slice(0, 40)) : "");
    hint(span, fields.length ? fields.slice(0, 6).map(line).join("\n") : "no field");
    if (!fields.length) return;
    for (const run of this.runs(fields[0])) {
      for (let i = run.bit >> 3; i <= (run.bit + run.bits - 1) >> 3; i++)
        this.layers[run.layer].spans[i]?.classList.add("over");
    }
  }

  /** The arrow keys go from byte to byte. */
  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || !this.layers) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.perLine, ArrowUp: -this.perLine }[e.key];
    if (!step) return;
    e.preventDefault();
    const lit = this.lit?.bits ? this.runs(this.lit)[0] : null;
    const layer = this.at?.[0] ?? lit?.layer ?? this.index(1);
    const from =
      this.at && lit && this.at[2] === this.lit
        ? this.at[1]
        : lit
          ? step > 0
            ? (lit.bit + lit.bits - 1) >> 3
            : lit.bit >> 3
          : -1;
    const to = Math.min(this.layers[layer].data.length - 1, Math.max(0, from + step));
    const fields = this.fieldsAt(layer, to);
    if (!fields.length) return;
    this.point(fields[0]);
    this.at = [layer, to, fields[0]];
    this.blocks.focus({ preventScroll: true });
  }
}

function decode(text) {
  const raw = atob(text ?? "");
  const data = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) data[i] = raw.charCodeAt(i);
  return data;
}
