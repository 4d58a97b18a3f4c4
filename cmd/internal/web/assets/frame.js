// Numbers of packets. Where the page comes from the viewer's server, they lead to the packet in the viewer.

import { button, el } from "./dom.js";

const served = new URLSearchParams(location.search).has("viewer") && location.protocol !== "file:";

let lead = null;

/** In the viewer itself: numbers call an action with the packet and the number of its input. */
export function leadFrames(action) {
  lead = action;
}

/** The part of the viewer's address that leads to a packet; file is the number of the input, from 0. */
export function frameAddress(value, file = 0) {
  return "#frame=" + value + (file ? "&file=" + file : "");
}

/** The viewer's list with a filter, as an address or as a link to it. */
export function filtered(filter, file = 0) {
  const address = "#filter=" + encodeURIComponent(filter) + (file ? "&file=" + file : "");
  return served
    ? el("a", { href: "viewer/view.html" + address, target: "q3dissect-viewer", text: "the list of them" })
    : el("code", { text: address });
}

/** The number of a packet, as a text or as a link. */
export function frame(value, file) {
  if (lead && Number.isInteger(value)) return button(String(value), () => lead(value, file), { class: "plain link" });
  if (!served || !Number.isInteger(value)) return String(value);
  return el("a", {
    href: "viewer/view.html" + frameAddress(value, file),
    target: "q3dissect-viewer",
    text: String(value),
  });
}
