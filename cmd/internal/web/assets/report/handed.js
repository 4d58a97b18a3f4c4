// The report beside the viewer that has no server: the viewer, which opened this page, hands over the file that the
// program made. It is shown here, and can be saved.

import { button, el, replace, save, say, visible } from "../dom.js";
import { show } from "./page.js";
import { unpack } from "./unpack.js";

const page = document.getElementById("page");
replace(page, el("p", { class: "nothing", role: "status", text: "The report is being made ..." }));

addEventListener("message", async ({ origin, source, data }) => {
  if (origin !== location.origin || source !== opener) return;
  if (data.fault) {
    replace(page, el("p", { class: "nothing", role: "alert", text: "There is no report: " + visible(data.fault) }));
    return;
  }
  if (!data.report) return;
  const file = new DOMParser().parseFromString(data.report, "text/html"); // its scripts do not run
  const content = el("div", {});
  replace(
    page,
    el(
      "p",
      { class: "note handed" },
      button("Save as one file", () => save("report.html", data.report, "text/html;charset=utf-8")),
      " to hand over. Nothing left the browser.",
    ),
    content,
  );
  await show(content, await unpack(file.getElementById("data").textContent));
  say(document, file.title);
  document.getElementById(data.section ?? "")?.scrollIntoView();
});

if (opener) opener.postMessage({ wantsReport: true }, location.origin);
else
  replace(
    page,
    el("p", {
      class: "nothing",
      text: "This page shows the report of a capture that is open in the viewer: open one there first.",
    }),
  );
