// What the last lines of the viewer say.

import { el, wire } from "../assets/dom.js";
import { bytes, number, plural } from "../assets/format.js";

/** A field in words: what it is, its bits, and where that is written. */
export function aboutField(field, record) {
  const about = record.descriptions[field.about];
  const place = field.bits
    ? plural(field.bits, "bit") +
      ` at ${field.bit >> 3}.${field.bit & 7} of the ${field.layer ? "message" : "datagram"}`
    : "not on the wire: derived";
  const value = [field.value.slice(0, 200).replaceAll("\n", " "), field.named].filter(Boolean).join(" ");
  return [
    el("strong", { text: about.name.split(".").pop() || field.label }),
    value ? [" = ", wire(value)] : null,
    about.doc ? [": ", wire(about.doc)] : null,
    " · ",
    place,
    about.source ? [" · ", wire(about.source)] : null,
  ];
}

/** Why the list is empty. */
export function emptyReason({ status, filter }) {
  if (filter && status.rows) return "No packet matches the filter.";
  if (status.packets)
    return `None of the ${plural(status.packets, status.demo ? "message" : "packet")} is of a game that is known.`;
  return `There is no ${status.demo ? "message" : "packet"} in the file.`;
}

/**
 * The parts of the last line: the packet that is shown, how many there are, the order, how far the inputs were read.
 */
export function statusParts({ status, row, filter, list, marks, columns, isSorted }) {
  const noun = status.demo ? "message" : "packet";
  const parts = [];
  if (row)
    parts.push(
      `${status.demo ? "message" : "frame"} ${number(row.number)}`,
      row.stream >= 0 && !status.files[row.file ?? 0]?.demo ? `stream ${row.stream}` : null,
    );
  parts.push(filter ? `${number(list.many)} of ${number(status.rows)} shown` : plural(status.rows, noun));
  if (marks.places.length) parts.push(plural(marks.places.length, "mark"));
  const column = columns.sort?.replace("-", "");
  if (column) parts.push(isSorted ? `sorted by ${column}` : `sorting by ${column} once all packets are known`);
  if (!status.done)
    parts.push(
      status.size ? `reading ${Math.floor((100 * status.read) / status.size)} %` : `read ${bytes(status.read)}`,
    );
  return parts.filter(Boolean);
}
