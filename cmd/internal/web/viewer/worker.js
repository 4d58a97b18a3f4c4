// The program as WebAssembly, in a worker of its own so that the page never waits for it.

importScripts("wasm_exec.js");

// Memory in pages of 64 KiB that the program gets at once: growing it piece by piece makes the browser collect
// garbage each time. What the program does not touch costs nothing.
const pages = 2048;

const running = (async () => {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch("../q3dissect.wasm"), go.importObject);
  try {
    instance.exports.mem.grow(pages);
  } catch {
    // there is less: it grows as far as it can
  }
  go.run(instance);
})();

// The library of plots, which a report has in it. The page's own plots use the same file.
const plots = async () => {
  const answer = await fetch("../libraries/echarts/echarts.min.js");
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

onmessage = async ({ data }) => {
  try {
    await running;
    if (data.files) q3dissectOpen(data.files, (fault) => postMessage({ opened: true, fault }));
    else if (data.take)
      q3dissectExport(
        data.query,
        (part) => postMessage({ id: data.id, part }, [part.buffer]),
        (fault) =>
          postMessage({
            id: data.id,
            ok: fault === null,
            answer: JSON.stringify(fault === null ? {} : { error: fault }),
          }),
      );
    else
      q3dissectAsk(
        data.name,
        data.query,
        (ok, answer) => postMessage({ id: data.id, ok, answer }),
        data.name === "report" ? await plots() : null,
      );
  } catch (fault) {
    postMessage(
      data.files
        ? { opened: true, fault: String(fault) }
        : { id: data.id, ok: false, answer: JSON.stringify({ error: String(fault) }) },
    );
  }
};
