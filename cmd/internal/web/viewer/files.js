// Files of the visitor: what of them can be opened, and in words why others cannot.

import { bytes } from "../assets/format.js";

/** How much a page can hold: the program takes about three times the size of its inputs, and WebAssembly has 4 GB. */
const most = 1.2e9;

/** What was dropped: {files, faults}. */
export function dropped(transfer) {
  const faults = [];
  const folders = new Set();
  for (const item of transfer.items ?? []) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    if (entry?.isDirectory) folders.add(entry.name);
  }
  for (const name of folders) faults.push(`${name} is a folder: drop the files in it.`);
  const files = [...transfer.files].filter((file) => !folders.has(file.name));
  if (!files.length && !folders.size)
    faults.push("What was dropped is no file. Drop a capture or a demo, or choose one.");
  return { files, faults };
}

/** Reads files: {inputs: [{name, bytes}], faults}. */
export async function read(files, faults = []) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > most)
    return {
      inputs: [],
      faults: [
        ...faults,
        `${bytes(size)} are more than a page can hold: q3dissect view, in a terminal, shows captures of any size.`,
      ],
    };
  const inputs = [];
  for (const file of files) {
    try {
      const content = new Uint8Array(await file.arrayBuffer());
      if (content.length) inputs.push({ name: file.name, bytes: content });
      else faults.push(`${file.name} is empty.`);
    } catch {
      faults.push(`${file.name} cannot be read: it is a folder, or the browser may not read it.`);
    }
  }
  return { inputs, faults };
}
