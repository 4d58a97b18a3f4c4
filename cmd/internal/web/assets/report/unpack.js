// The data of a report, as they stand in its page.

/** The document in the page: JSON around base64 of gzip of JSON. */
export async function unpack(text) {
  const packed = JSON.parse(text);
  const bytes = Uint8Array.from(atob(packed.data), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** The text with the data of a report's page. It is base64: no "<" is in it. */
export function dataOf(page) {
  const begin = '<script id="data" type="application/json">';
  const at = page.indexOf(begin) + begin.length;
  return page.slice(at, page.indexOf("<", at));
}
