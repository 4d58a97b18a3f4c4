// How questions reach the program: over HTTP, or in a worker that runs it as WebAssembly. Both give the same answers.

/** What the program says when there is no answer. filter: where a filter is wrong. */
export class Fault extends Error {
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

/** Asks the server below an address. */
export function httpCarrier(base) {
  return {
    async ask(name, args) {
      const answer = await fetch(base + name + "?" + queryOf(args), { cache: "no-store" });
      if (!answer.headers.get("Content-Type")?.startsWith("application/json")) throw new Fault({ error: (await answer.text()).trim() }); // of the server itself
      const body = await answer.json();
      if (!answer.ok) throw new Fault(body);
      return body;
    },
  };
}

/** Asks a worker that has the program. */
export function workerCarrier(worker) {
  const waiting = new Map();
  let last = 0;
  worker.addEventListener("message", ({ data }) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    waiting.delete(data.id);
    const body = JSON.parse(data.answer);
    if (data.ok) asked.resolve(body);
    else asked.reject(new Fault(body));
  });
  return {
    ask(name, args) {
      return new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        worker.postMessage({ id: last, name, query: queryOf(args) });
      });
    },
  };
}
