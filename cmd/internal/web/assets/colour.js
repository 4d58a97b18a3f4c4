// Colours: the palette of the style sheet, and the colour codes of names and chat.

import { el, visible } from "./dom.js";

/** The value of a colour of the style sheet: colour("--red"). */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const seriesColours = 16; // of the palette

/** The colour of the series, player or file with this number. */
export function seriesColour(index) {
  return colour("--series-" + (((index % seriesColours) + seriesColours) % seriesColours + 1));
}

/** The teams that have a colour: those of Wolfenstein have the colours of the others. */
export const sides = { red: "red", blue: "blue", axis: "red", allies: "blue" };

// How players of one team differ: parts of the way to the ink, and below 0 to the paper.
const teamShades = [0, 0.45, -0.35, 0.7, 0.22, -0.18];

/**
 * The colour of a player: of the team where there are two, in a shade by his place in it, else of his number. A second mark
 * (dash, shape) is up to the plot.
 */
export function playerColour(player, index, place = 0) {
  if (player.team !== "red" && player.team !== "blue") return seriesColour(index);
  const part = teamShades[place % teamShades.length];
  const from = channels(colour("--team-" + player.team));
  const to = channels(colour(part < 0 ? "--paper" : "--ink"));
  return hex(from.map((c, i) => c + (to[i] - c) * Math.abs(part)));
}

// The eight colours of the Quake III engine, g_color_table in code/qcommon/q_math.c; a digit or letter counts by its lowest three bits.
const codes = ["#000000", "#ff0000", "#00ff00", "#ffff00", "#0000ff", "#00ffff", "#ff00ff", "#ffffff"];

/** A text with ^1 colour codes as runs of one colour: [{text, colour}], colour null before the first code. */
export function colourRuns(text) {
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
