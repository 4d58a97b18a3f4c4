// The viewer where the program itself answers, over HTTP.

import { el } from "../assets/dom.js";
import { httpCarrier } from "./carrier.js";
import { startViewer } from "./viewer.js";

window.name = "q3dissect-viewer"; // links of the report lead back here
const report = el("a", { href: "../report?viewer", target: "q3dissect-report", class: "report", title: "Pictures of the same inputs, in a tab of their own", text: "report" });
startViewer(document.body, httpCarrier("../ask/"), [report]);
