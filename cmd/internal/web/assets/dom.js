// Elements of the page. Nothing here takes markup: what comes from the wire can only become text.

const svgNames = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Attributes: "class", "text" and any other by name, true for one without value, null or false for
 * none, and functions for events ("onclick"). Children: elements, strings (as text), lists of both, null.
 */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNames, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "text") say(element, value);
    else if (people.has(name)) element.setAttribute(name, shown(value));
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

/** Appends children to an element. */
export function add(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : shown(child));
  }
  return element;
}

const people = new Set(["title", "aria-label", "alt", "placeholder"]); // attributes that people read or hear

/** Gives an element, or the document, a text instead of what it has. */
export function say(element, text) {
  if (element === document) document.title = shown(text);
  else element.textContent = shown(text);
}

/** Gives an element a text for the pointer. */
export function hint(element, text) {
  element.title = shown(text);
}

// All text of the page goes through here: a control character that was not made visible before becomes so. Lines are
// kept.
function shown(text) {
  return String(text).split("\n").map(visible).join("\n");
}

/** Empties an element and fills it again. */
export function replace(element, ...children) {
  element.replaceChildren();
  return add(element, ...children);
}

// Those of wiretext.Disturbs.
const unsafe = new RegExp(
  "[\\0-\\x1f\\x7f-\\x9f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f" +
    "\\ufeff\\u{e0001}\\u{e0020}-\\u{e007f}]",
  "gu",
);

/** Text of the wire with its control characters visible, as the lists of the program show them. */
export function visible(text) {
  return String(text).replace(unsafe, (c) => {
    const code = c.codePointAt(0),
      digits = code.toString(16);
    if (code > 0xffff) return "\\U" + digits.padStart(8, "0");
    return code < 256 ? "\\x" + digits.padStart(2, "0") : "\\u" + digits.padStart(4, "0");
  });
}

/** Text of the wire as an element whose direction of writing does not touch what stands around it. */
export function wire(text, attributes) {
  return el("bdi", { ...attributes, text: visible(text) });
}

/** Asks for a file to be saved, made of a Blob or a text. */
export function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for a file, of a title. */
export function fileName(title) {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "data"
  );
}

/** A button. */
export function button(label, action, attributes) {
  return el("button", { type: "button", onclick: action, text: label, ...attributes });
}

/** Calls again when the page becomes light or dark. */
export function onTheme(action) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", action);
}
