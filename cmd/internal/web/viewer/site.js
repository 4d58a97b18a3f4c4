// The viewer without a server: files that are dropped are dissected by a worker, and nothing leaves the browser.

import { button, el, replace, say, visible } from "../assets/dom.js";
import { queryOf, workerCarrier } from "./carrier.js";
import { dropped, read } from "./files.js";
import { startViewer } from "./viewer.js";
import { welcome } from "./welcome.js";

const worker = new Worker(new URL("worker.js", import.meta.url));
const carrier = workerCarrier(worker);
const title = document.title;
const first = welcome({ openFiles: (files) => queue(() => open(files)), openSample });
const readable = "Captures (pcap, pcapng) and demos can be opened, also packed with gzip, zstd or xz.";
let last = Promise.resolve(false); // whether what was opened last is open
let usable = false; // whether the worker has inputs

history.replaceState({ first: true }, "", location.pathname);
showFirst();

/** Does one thing after the other, as files may come while others are read. */
function queue(action) {
  carrier.forget();
  return (last = last.then(action, action));
}

/** Opens a sample; section: of its report, which a tab of its own shows; show: what the viewer shows at first. */
function openSample(name, { section, show } = {}) {
  if (section) openReport(section); // now: later the browser takes it for an advertisement
  return queue(async () => {
    first.say("Loading " + name + " ...");
    try {
      const answer = await fetch("samples/" + name);
      if (!answer.ok) throw new Error(answer.statusText || String(answer.status));
      return await open([new File([await answer.blob()], name)], { show });
    } catch (fault) {
      return refuse([`The sample ${name} cannot be loaded: ${fault.message}.`]);
    }
  });
}

/** Opens files and shows them; it gives whether that was possible. */
async function open(files, { show, faults = [] } = {}) {
  performance.mark("files chosen");
  first.say("Reading " + files.map((file) => file.name).join(", ") + " ...");
  const found = await read(files, faults);
  if (!found.inputs.length) return refuse(found.faults);
  const fault = await hand(found.inputs);
  if (fault) return refuse([fault], true);
  let status;
  do status = await carrier.ask("status");
  while (!status.done && !status.rows);
  if (status.errors && !status.rows) return refuse([...found.faults, ...status.errors, readable], true);
  usable = true;
  history.pushState(null, "", location.pathname + (show ? "#" + queryOf(show) : ""));
  showViewer();
  if (found.faults.length) tell(found.faults);
  return true;
}

/** Gives the worker inputs; it says why it cannot take them. */
function hand(inputs) {
  return new Promise((done) => {
    worker.addEventListener("message", function take({ data }) {
      if (!data.opened) return;
      worker.removeEventListener("message", take);
      done(data.fault);
    });
    worker.postMessage(
      { files: inputs },
      inputs.map((i) => i.bytes.buffer),
    );
  });
}

/** Says why files cannot be opened. gone: the worker has nothing open any more. */
function refuse(faults, gone = false) {
  if (gone) usable = false;
  if (gone && !first.element.isConnected) {
    history.pushState({ first: true }, "", location.pathname);
    showFirst();
  }
  if (first.element.isConnected) first.fail(faults);
  else tell(faults);
  return false;
}

/** Says something above the viewer. */
function tell(faults) {
  document.querySelector(".told")?.remove();
  const box = el(
    "div",
    { class: "told", role: "alert" },
    el(
      "div",
      {},
      faults.map((text) => el("p", { class: "severity-error", text: visible(text) })),
    ),
    button("✕", () => box.remove(), { class: "plain", "aria-label": "Close this note" }),
  );
  document.body.append(box);
}

function showFirst() {
  globalThis.viewer?.end();
  say(document, title);
  replace(document.body, first.element);
  document.body.className = "waiting-for-files";
  first.say("");
}

function showViewer() {
  document.body.className = "";
  const other = button(
    "open another",
    () => {
      history.pushState({ first: true }, "", location.pathname);
      showFirst();
      document.getElementById("files").focus();
    },
    { class: "report", title: "Other files, and samples. Files can be dropped here, too" },
  );
  const local = el("span", { class: "note local", text: "nothing leaves the browser" });
  startViewer(document.body, carrier, [
    local,
    other,
    button("report", () => openReport(), {
      class: "report",
      title: "Pictures of the same inputs, in a tab of their own",
    }),
  ]);
}

addEventListener("popstate", ({ state }) => {
  if (state?.first) showFirst();
  else if (usable && first.element.isConnected) showViewer();
});

// Files over the window

const withFiles = (e) => !e.dataTransfer.types.length || e.dataTransfer.types.includes("Files");
addEventListener("dragover", (e) => {
  e.preventDefault();
  document.body.classList.toggle("dragging", withFiles(e));
});
addEventListener("dragleave", (e) => {
  if (!e.relatedTarget) document.body.classList.remove("dragging");
});
addEventListener("drop", (e) => {
  e.preventDefault();
  document.body.classList.remove("dragging");
  const { files, faults } = dropped(e.dataTransfer); // now: later it is empty
  if (files.length) queue(() => open(files, { faults }));
  else refuse(faults);
});

// The report, in a tab of its own

let tab = null;
let part; // of the report, that is wanted

function openReport(section) {
  part = section;
  tab = globalThis.open("report.html", "q3dissect-report");
}

addEventListener("message", async ({ origin, source, data }) => {
  if (origin !== location.origin || source !== tab || !data.wantsReport) return;
  try {
    if (!(await last)) throw new Error("nothing is open");
    source.postMessage({ report: await carrier.report(), section: part }, location.origin);
  } catch (fault) {
    source.postMessage({ fault: fault.message }, location.origin);
  }
});
