// Numbers and times for people.

/** A number with at most so many decimals; nothing for what is not known. */
export function number(value, decimals = 0) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isSafeInteger(value)) return String(value).replace(/\B(?=(\d{3})+$)/g, ","); // Intl takes long at first
  return new Intl.NumberFormat("en", { maximumFractionDigits: decimals }).format(value);
}

/** Bytes with a unit: 12.3 kB. Thousands, as disks and networks count. */
export function bytes(value) {
  for (const unit of ["B", "kB", "MB", "GB"]) {
    if (value < 1000 || unit === "GB") return number(value, value < 10 && unit !== "B" ? 1 : 0) + " " + unit;
    value /= 1000;
  }
  return "";
}

/** Seconds as a clock: 2:05, or 1:02:05; with decimals where they are asked for. */
export function clock(seconds, decimals = 0) {
  if (seconds === null || seconds === undefined) return "";
  const sign = seconds < 0 ? "-" : "";
  const scale = 10 ** decimals;
  let left = Math.round(Math.abs(seconds) * scale) / scale;
  const hours = Math.floor(left / 3600);
  left -= hours * 3600;
  const minutes = Math.floor(left / 60);
  left -= minutes * 60;
  const rest = left.toFixed(decimals).padStart(decimals ? decimals + 3 : 2, "0");
  return sign + (hours ? hours + ":" + String(minutes).padStart(2, "0") : minutes) + ":" + rest;
}

/** Seconds in words: "2 min 5 s". */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 60) return number(seconds, 1) + " s";
  const rounded = Math.round(seconds);
  const parts = [];
  if (rounded >= 3600) parts.push(Math.floor(rounded / 3600) + " h");
  if (rounded % 3600 >= 60) parts.push(Math.floor((rounded % 3600) / 60) + " min");
  if (rounded % 60 && rounded < 3600) parts.push((rounded % 60) + " s");
  return parts.join(" ");
}

/** A count with its noun: plural(1, "player") and plural(2, "player"). */
export function plural(count, one, many = one + "s") {
  return number(count) + " " + (count === 1 ? one : many);
}

/** A text that begins with a capital letter. */
export function upper(text) {
  return text.replace(/^\p{Ll}/u, (c) => c.toUpperCase());
}

/** A key of JSON as words: "lost_behind" as "lost behind". */
export function words(key) {
  return key.replaceAll("_", " ");
}
