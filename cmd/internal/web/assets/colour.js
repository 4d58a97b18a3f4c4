// Colours: the palette of the style sheet, and the colour codes of names and chat.

import { el, onTheme, visible } from "./dom.js";

const known = new Map(); // colours by name: to ask for one takes long
onTheme(() => known.clear());

/** The value of a colour of the style sheet: colour("--red"). */
export function colour(name) {
  const value = known.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  if (value) known.set(name, value);
  return value;
}

const seriesColours = 16; // of the palette

/** The colour of the series, player or file with this number. */
export function seriesColour(index) {
  return colour("--series-" + ((((index % seriesColours) + seriesColours) % seriesColours) + 1));
}

/** The teams that have a colour: those of Wolfenstein have the colours of the others. */
export const sides = { red: "red", blue: "blue", axis: "red", allies: "blue" };

const side = 8; // colours of each half of the players' palette
const dashes = {
  red: [[], [2, 3]],
  blue: [
    [7, 3],
    [7, 3, 2, 3],
  ],
  none: [[], [7, 3], [2, 3], [7, 3, 2, 3]],
};
const symbols = {
  red: ["diamond", "triangle"],
  blue: ["circle", "rect"],
  none: ["circle", "triangle", "rect", "diamond"],
};
const signs = { circle: "●", triangle: "▲", rect: "■", diamond: "◆" };

/**
 * How a player looks in every picture: {colour, dash, symbol, sign}. Red teams have warm colours, blue teams cool
 * ones, others both by turns. place is that among the players of the team, or among all of a game without teams. Dash
 * and symbol are the second mark: they differ between the teams, and after each four players.
 */
export function playerLook(team, place) {
  const kind = team === "red" || team === "blue" ? team : "none";
  const warm = kind === "none" ? place % 2 === 1 : kind === "red";
  const nth = (kind === "none" ? place >> 1 : place) % side;
  const pick = (list) => list[Math.floor(place / 4) % list.length];
  const symbol = pick(symbols[kind]);
  return {
    colour: colour(`--${warm ? "warm" : "cool"}-${nth + 1}`),
    dash: pick(dashes[kind]),
    symbol,
    sign: signs[symbol],
  };
}

/** The look of a player who has several lines in a plot: each has another dash. */
export function again(look, nth) {
  const own = dashes.none.findIndex((d) => String(d) === String(look.dash));
  return nth === 0 ? look : { ...look, dash: dashes.none[(own + nth) % dashes.none.length] };
}

/**
 * The place of each player in his team, or among all where there are none: those who play come before those who
 * watch.
 */
export function playerPlaces(players, plays) {
  const next = {};
  const out = [];
  for (const i of [...players.keys()].sort((a, b) => Number(plays(b)) - Number(plays(a)) || a - b)) {
    const team = players[i].team ?? "";
    next[team] = (next[team] ?? -1) + 1;
    out[i] = next[team];
  }
  return out;
}

// The eight colours of the Quake III engine, g_color_table in code/qcommon/q_math.c; a digit or letter counts by its
// lowest three bits.
const codes = ["#000000", "#ff0000", "#00ff00", "#ffff00", "#0000ff", "#00ffff", "#ff00ff", "#ffffff"];

/** A text with ^1 colour codes as runs of one colour: [{text, colour}], colour null before the first code. */
function colourRuns(text) {
  const runs = [];
  let now = null;
  let from = 0;
  const cut = (to) => to > from && runs.push({ text: text.slice(from, to), colour: now });
  for (let i = 0; i + 1 < text.length; i++) {
    if (text[i] !== "^" || !/[0-9A-Za-z]/.test(text[i + 1])) continue;
    cut(i);
    now = codes[text.charCodeAt(i + 1) & 7];
    from = i + 2;
    i++;
  }
  cut(text.length);
  return runs;
}

/** A text without its ^1 colour codes. */
export function withoutCodes(text) {
  return colourRuns(text)
    .map((run) => run.text)
    .join("");
}

/** A name or a line of chat as the game shows it. Where the game has no colour codes, coded is false. */
export function gameText(text, coded = true) {
  if (!coded) return el("bdi", { text: visible(text) });
  const whole = el("bdi", { class: "game-text", title: visible(text) });
  const paper = colour("--paper");
  for (const run of colourRuns(String(text))) {
    const part = el("span", { text: visible(run.text) });
    if (run.colour) part.style.color = readable(run.colour, paper);
    whole.append(part);
  }
  return whole;
}

/** A colour made lighter or darker until it is readable on another: a contrast of 4.5 to 1, WCAG 2.1, 1.4.3. */
export function readable(ink, paper) {
  const below = channels(paper);
  const goal = luminance(below) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  const from = channels(ink);
  for (let part = 0; part <= 1; part += 0.05) {
    const mixed = from.map((c, i) => c + (goal[i] - c) * part);
    if (contrast(mixed, below) >= 4.5) return hex(mixed);
  }
  return hex(goal);
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a, b) {
  const [la, lb] = [luminance(a), luminance(b)];
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Red, green and blue of "#rrggbb". */
export function channels(text) {
  return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
}

function hex(rgb) {
  return "#" + rgb.map((c) => Math.round(c).toString(16).padStart(2, "0")).join("");
}

/** A colour of the palette that lets shine through what is below. */
export function clear(text, alpha) {
  return `rgba(${channels(text).join(",")},${alpha})`;
}
