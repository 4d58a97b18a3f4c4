// Numbers of packets. Where the page comes from the viewer's server, they lead to the packet in the viewer.

import { el } from "./dom.js";

const served = new URLSearchParams(location.search).has("viewer") && location.protocol !== "file:";

/** The number of a packet, as a text or as a link. */
export function frame(value) {
  if (!served || !Number.isInteger(value)) return String(value);
  return el("a", { href: "viewer/view.html#frame=" + value, target: "q3dissect-viewer", text: String(value) });
}
