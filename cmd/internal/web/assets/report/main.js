// The report as one file: its data are in the page itself.

import { el, replace } from "../dom.js";
import { show } from "./page.js";
import { unpack } from "./unpack.js";

start();

async function start() {
  const page = document.getElementById("page");
  try {
    const doc = await unpack(document.getElementById("data").textContent);
    await show(page, doc);
  } catch (fault) {
    replace(
      page,
      el("p", { class: "nothing", role: "alert", text: "The data of this page cannot be read: " + fault.message }),
    );
    throw fault;
  }
}
