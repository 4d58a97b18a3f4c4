// The viewer where the program itself answers, over HTTP.

import { el } from "../assets/dom.js";
import { httpCarrier } from "./carrier.js";
import { withSecret } from "./secret.js";
import { startViewer } from "./viewer.js";

window.name = "q3dissect-viewer"; // links of the report lead back here
const report = el("a", {
  href: withSecret("../report?viewer"),
  target: "q3dissect-report",
  class: "report",
  title: "Pictures of the same inputs, in a tab of their own",
  text: "report",
});
const viewer = startViewer(document.body, httpCarrier("../ask/"), [report]);

// The same pictures around the packet that is shown, where it has a time.
const around = el("a", {
  href: report.href,
  target: "q3dissect-report",
  class: "report",
  title: "The report's pictures of half a minute around this packet",
  text: "pictures of this moment",
  hidden: true,
});
document.querySelector("footer").append(around);
viewer.onRow = (row) => {
  const at = row.time ? Number(row.time) : NaN;
  around.hidden = !Number.isFinite(at);
  if (around.hidden) return;
  const place = new URLSearchParams({ t: Math.max(0, at - 15).toFixed(1) + "-" + (at + 15).toFixed(1) });
  if (row.file) place.set("file", row.file);
  around.href = report.href + "#" + place;
};
