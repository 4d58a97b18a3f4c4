// How questions reach the program: over HTTP, or in a worker that runs it as WebAssembly. Both give the same answers,
// and the same files for the browser to save.

import { el, save } from "../assets/dom.js";
import { secretHeaders, withSecret } from "./secret.js";

/** What the program says when there is no answer. filter: where a filter is wrong. */
class Fault extends Error {
  constructor(fault) {
    super(fault.error);
    this.filter = fault.filter;
  }
}

/** Arguments as they stand in an address; what is empty is left out. */
export function queryOf(args) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  return query.toString();
}

/**
 * Asks the server below an address: the run of the program that answers first. Another one on the same port has other
 * inputs.
 */
export function httpCarrier(base) {
  let run = null;
  return {
    async ask(name, args) {
      const answer = await fetch(base + name + "?" + queryOf(args), {
        cache: "no-store",
        headers: secretHeaders(),
      });
      const now = answer.headers.get("Q3dissect-Run");
      run ??= now;
      if (now && now !== run)
        throw new Fault({
          error:
            "The program that showed this has ended, and another one runs in its place: open the address that " +
            "it printed.",
        });
      if (!answer.headers.get("Content-Type")?.startsWith("application/json"))
        throw new Fault({ error: (await answer.text()).trim() }); // of the server itself
      const body = await answer.json();
      if (!answer.ok) throw new Fault(body);
      return body;
    },
    /** The page of the report of the same inputs. */
    async report() {
      const answer = await fetch(withSecret(base + "../report"), { cache: "no-store" });
      const page = await answer.text();
      if (!answer.ok) throw new Fault({ error: page.trim() });
      return page;
    },
    /** Lets the browser save an export while the program writes it. */
    async download(args, name) {
      el("a", { href: withSecret(base + "../export?" + queryOf(args)), download: name }).click();
    },
  };
}

/** Asks a worker that has the program. */
export function workerCarrier(worker) {
  const waiting = new Map();
  let last = 0;
  let report = null;
  worker.addEventListener("message", ({ data }) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    if (data.part) return void asked.parts.push(data.part);
    waiting.delete(data.id);
    const body = JSON.parse(data.answer);
    if (data.ok) asked.resolve(body);
    else asked.reject(new Fault(body));
  });
  const send = (message) =>
    new Promise((resolve, reject) => {
      message.id = ++last;
      waiting.set(last, { resolve, reject, parts: message.take });
      worker.postMessage({ ...message, take: !!message.take });
    });
  const carrier = {
    ask: (name, args) => send({ name, query: queryOf(args) }),
    /** The page of the report of what is open. */
    async report() {
      report ??= carrier.ask("report");
      try {
        return (await report).page;
      } catch (fault) {
        report = null;
        throw fault;
      }
    },
    /** The inputs are others: there is another report. */
    forget: () => (report = null),
    /** Saves an export, whose parts the page keeps until it has all. */
    async download(args, name) {
      const parts = [];
      await send({ query: queryOf(args), take: parts });
      save(name, new Blob(parts, { type: "application/octet-stream" }));
    },
  };
  return carrier;
}
