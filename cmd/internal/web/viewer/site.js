// The viewer without a server: files that are dropped are dissected by a worker, and nothing leaves the browser.

import { button, el, replace } from "../assets/dom.js";
import { workerCarrier } from "./carrier.js";
import { startViewer } from "./viewer.js";

const worker = new Worker(new URL("worker.js", import.meta.url));
const carrier = workerCarrier(worker);
const fault = el("p", { class: "severity-error", role: "alert", hidden: true });

const chooser = el("input", { type: "file", multiple: true, id: "files", onchange: () => openFiles([...chooser.files]) });
const hex = el("textarea", { id: "hex", rows: "6", spellcheck: "false", placeholder: "ff ff ff ff 67 65 74 73 74 61 74 75 73 0a" });
const welcome = el("main", { class: "welcome" },
  el("h1", { text: "q3dissect" }),
  el("p", { text: "Says what every bit of a game's messages means: Quake III and its family, Teeworlds and DDNet, GameStudio." }),
  el("label", { class: "drop", for: "files" }, el("strong", { text: "Drop captures or demos here, or choose them" }),
    el("span", { class: "note", text: "pcap, pcapng, also packed with gzip, zstd or xz; .dm_68 and other demos; Teeworlds demos" }), chooser),
  el("details", {}, el("summary", { text: "Or paste a packet as hexadecimal digits" }), el("label", { for: "hex", class: "visually-hidden", text: "Packet as hexadecimal digits" }), hex,
    button("Dissect", () => openFiles([new File([hex.value], "pasted.txt")]))),
  el("p", {}, button("Look at an example", example), el("span", { class: "note", text: " a client joins a Quake III server and plays, 500 packets" })),
  fault,
  el("p", { class: "note", text: "Nothing leaves the browser: the program runs in this page as WebAssembly, and the page asks no network for anything but itself." }));

replace(document.body, welcome);
document.body.classList.add("waiting-for-files");

addEventListener("dragover", (e) => {
  e.preventDefault();
  document.body.classList.add("dragging");
});
addEventListener("dragleave", () => document.body.classList.remove("dragging"));
addEventListener("drop", (e) => {
  e.preventDefault();
  document.body.classList.remove("dragging");
  if (e.dataTransfer.files.length) openFiles([...e.dataTransfer.files]);
});

/** Opens the capture that stands beside the page. */
async function example() {
  const answer = await fetch("samples/68-connect-play.pcap");
  if (answer.ok) return openFiles([new File([await answer.blob()], "68-connect-play.pcap")]);
  fail("The example is not there: " + answer.statusText);
}

/** Says why files cannot be opened, where others can be chosen. */
function fail(text) {
  fault.textContent = text;
  fault.hidden = false;
  if (!begun) return;
  globalThis.viewer.end();
  replace(document.body, welcome);
  document.body.classList.add("waiting-for-files");
}

let begun = false;

async function openFiles(files) {
  performance.mark("files chosen");
  const inputs = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  const opened = new Promise((done) => {
    worker.addEventListener("message", function take({ data }) {
      if (!data.opened) return;
      worker.removeEventListener("message", take);
      done(data.fault);
    });
  });
  worker.postMessage({ files: inputs }, inputs.map((i) => i.bytes.buffer));
  const why = await opened;
  const status = why ? null : await carrier.ask("status");
  const wrong = why ?? (status.errors && !status.rows ? status.errors.join("; ") : null);
  if (begun) history.pushState(null, "", location.pathname); // what was shown of the files before
  if (wrong) return fail(wrong);
  begun = true;
  document.body.classList.remove("waiting-for-files");
  const local = el("span", { class: "note", text: "nothing leaves the browser" });
  startViewer(document.body, carrier, [local, reportButton()]);
}

let reports = new AbortController(); // of what was open before

/** Opens a page that asks for the report of what is open. */
function reportButton() {
  reports.abort();
  reports = new AbortController();
  let made = null;
  let tab = null;
  addEventListener("message", async ({ origin, source, data }) => {
    if (origin !== location.origin || source !== tab || !data.wantsReport) return;
    made ??= carrier.ask("report");
    try {
      tab.postMessage({ report: (await made).page }, location.origin);
    } catch (wrong) {
      made = null;
      tab.postMessage({ fault: wrong.message }, location.origin);
    }
  }, { signal: reports.signal });
  return button("report", () => { tab = open("report.html", "q3dissect-report"); }, { class: "report", title: "Pictures of the same inputs, in a tab of their own" });
}
