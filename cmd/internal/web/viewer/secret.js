// The secrets that the server wants. They are kept in the tab alone: other tabs of this address, such as one of a
// program that had the port before, do not have them, and no other port is sent them.

const places = ["q3dissect-secret", "q3dissect-address-secret"];

/** Keeps the secrets that the entrance has, and reports whether the tab has some. */
export function takeSecrets(text) {
  const given = text.trim().split(" ");
  if (given.length === places.length) places.forEach((place, i) => sessionStorage.setItem(place, given[i]));
  return places.every((place) => sessionStorage.getItem(place));
}

/** The head of a request that is a question. */
export function secretHeaders() {
  return { "Q3dissect-Secret": held(0) };
}

/** An address that the browser opens or saves by itself, with its secret. */
export function withSecret(address) {
  return address + (address.includes("?") ? "&" : "?") + "secret=" + held(1);
}

function held(place) {
  try {
    return sessionStorage.getItem(places[place]) ?? "";
  } catch {
    return ""; // the browser keeps nothing for this page
  }
}
