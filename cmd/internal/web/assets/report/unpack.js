// The data of a report, as they stand in its page.

/** The document in the page: JSON around base64 of gzip of JSON. */
export async function unpack(text) {
  const packed = JSON.parse(text);
  const text64 = atob(packed.data);
  const bytes = new Uint8Array(text64.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text64.charCodeAt(i); // from() takes ten times as long
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** The text with the data of a report's page. It is base64: no "<" is in it. */
export function dataOf(page) {
  const begin = '<script id="data" type="application/json">';
  const at = page.indexOf(begin) + begin.length;
  return page.slice(at, page.indexOf("<", at));
}
