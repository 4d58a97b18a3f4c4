// Plots with everything around them: title, axes with units, legend, table, CSV and pictures to save.

import { button, el, fileName, onTheme, replace, save, visible } from "./dom.js";
import { colour, seriesColour } from "./colour.js";
import { number } from "./format.js";
import { menu } from "./menu.js";
import { saveCSV, tableBehind } from "./table.js";

/** ECharts. A page that is one file has it as a text, which becomes a script when the first plot is drawn. */
function library() {
  const text = document.getElementById("library-of-plots");
  if (text) {
    const script = document.createElement("script");
    script.append(text.textContent);
    text.replaceWith(script); // which runs it
  }
  return globalThis.echarts;
}

/** All plots that are drawn, so that they follow the width and the theme. */
const drawn = new Set();

/**
 * A figure with a plot of ECharts.
 * title: what is seen. note: a sentence below it. nothing: why there is nothing to show (then no plot is made).
 * option(): the option of ECharts, made again when the theme changes. height: in pixels.
 * columns, rows: the table behind it. on: {event: handler} of the chart.
 * Gives the element; its chart comes when it is scrolled into view: element.whenDrawn(chart => ...).
 */
export function plot({ title, note, nothing, option, height = 280, columns, rows, on, tools = [], label }) {
  const figure = el(
    "figure",
    { class: "plot" },
    el("figcaption", {}, el("span", { class: "title", text: visible(title) })),
  );
  if (note) figure.append(el("p", { class: "note", text: note }));
  if (nothing) {
    figure.append(el("p", { class: "nothing", text: nothing }));
    figure.whenDrawn = () => {};
    return figure;
  }
  const paper = el("div", {
    class: "paper",
    role: "img",
    "aria-label": visible(label ?? title) + ". The table below has the same numbers.",
    tabindex: "0",
  });
  let more = 0;
  const made = () => dress(option(), paper.clientWidth);
  const fit = (dressed) => {
    more = dressed.legendMore;
    paper.style.height = height + more + "px";
    return dressed;
  };
  paper.style.height = height + "px";
  let chart = null;
  const waiting = [];
  figure.whenDrawn = (action) => (chart ? action(chart) : waiting.push(action));
  figure.draw = () => {
    if (chart) return;
    const first = fit(made());
    chart = library().init(paper, null, { renderer: "canvas" });
    chart.setOption(first);
    for (const [event, handler] of Object.entries(on ?? {})) chart.on(event, handler);
    const redraw = () => {
      const dressed = fit(made());
      chart.resize();
      chart.setOption(dressed, { notMerge: true });
    };
    drawn.add({ chart, redraw });
    new ResizeObserver(() => {
      chart.resize();
      if (made().legendMore !== more) redraw(); // the legend has more lines, or fewer
    }).observe(paper);
    waiting.splice(0).forEach((action) => action(chart));
  };
  whenNear(paper, figure.draw);
  const pictures = {
    PNG: () => savePicture(title, option(), paper, "canvas"),
    SVG: () => savePicture(title, option(), paper, "svg"),
  };
  figure.append(paper, tools.length ? el("div", { class: "tools" }, tools) : "");
  addMenu(figure, { title, pictures, columns, rows });
  return figure;
}

/** Puts the menu of a figure beside its title: pictures to save, {label: action}, and its table. */
export function addMenu(figure, { title, pictures, columns, rows }) {
  const all = () => (typeof rows === "function" ? rows() : rows);
  const behind = columns ? tableBehind(title, columns, rows, { bare: true }) : null;
  const entries = Object.entries(pictures).map(([label, action]) => [label, action, "Save as " + label]);
  if (behind)
    entries.push(
      ["Save CSV", () => saveCSV(title, columns, all())],
      [
        "Table",
        () => {
          behind.open = !behind.open;
        },
      ],
    );
  figure.querySelector("figcaption").append(menu("Save or see as a table: " + visible(title), entries));
  if (behind) figure.append(behind);
}

onTheme(() => drawn.forEach((d) => d.redraw()));

const coming = new Map(); // what is not drawn yet, by element

/** Draws what is not near the window yet, too. */
export function drawAll() {
  for (const [element, action] of coming) if (element.isConnected) action();
  coming.clear();
}

addEventListener("beforeprint", drawAll);

/** Calls once when an element comes near the window; at once before the page is printed. */
export function whenNear(element, action) {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      watcher.disconnect();
      if (coming.delete(element)) action();
    },
    { rootMargin: "600px" },
  );
  watcher.observe(element);
  coming.set(element, action);
}

const legendLine = 20; // pixels
const legendLines = 8; // at most; a longer legend has pages

/** How many pixels a legend needs beyond its first line, in a plot of this width. */
function legendSpace(option, width) {
  if (!option.legend || !width) return 0;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px " + (colour("--font") || "sans-serif");
  const names = option.legend.data ?? [...new Set(option.series.filter((s) => s.data?.length).map((s) => s.name))];
  let lines = 1;
  let left = width - 10;
  for (const name of names) {
    const space = 25 + 5 + Math.ceil(pen.measureText(name).width) + 10; // sign, gap, text, gap to the next
    if (space > left && left < width - 10) {
      lines++;
      left = width - 10;
    }
    left -= space;
  }
  return lines > legendLines ? 0 : (lines - 1) * legendLine;
}

/** What all plots share: type, colours, no motion, space for the axes and for all lines of the legend. */
function dress(option, width) {
  const more = legendSpace(option, width);
  const lower = (g) => ({ ...g, top: typeof g.top === "number" ? g.top + more : g.top });
  const grid = option.grid ?? { left: 56, right: 16, top: option.legend ? 60 : 28, bottom: 40 };
  const ink = colour("--ink-2");
  const line = colour("--line");
  const axis = (a) =>
    a && {
      ...a,
      axisLine: { lineStyle: { color: line }, ...a.axisLine },
      axisLabel: { color: ink, fontSize: 12, hideOverlap: true, ...a.axisLabel },
      splitLine: { lineStyle: { color: line, opacity: 0.6 }, ...a.splitLine },
      nameTextStyle: { color: ink, fontSize: 12, ...a.nameTextStyle },
    };
  const axes = (a) => (Array.isArray(a) ? a.map(axis) : axis(a));
  return {
    animation: false,
    // SVG has the font in an attribute, which double quotes would end.
    textStyle: { fontFamily: colour("--font").replaceAll('"', "'") || "sans-serif", color: colour("--ink") },
    color: Array.from({ length: 16 }, (_, i) => seriesColour(i)),
    aria: { enabled: false },
    ...option,
    legendMore: more,
    grid: Array.isArray(grid) ? grid.map(lower) : lower(grid),
    legend: option.legend && {
      type: more ? "plain" : "scroll",
      top: 0,
      textStyle: { color: colour("--ink") },
      pageTextStyle: { color: ink },
      inactiveColor: line,
      ...option.legend,
    },
    tooltip: option.tooltip && {
      confine: true,
      backgroundColor: colour("--paper-2"),
      borderColor: line,
      textStyle: { color: colour("--ink"), fontSize: 13 },
      ...option.tooltip,
    },
    xAxis: axes(option.xAxis),
    yAxis: axes(option.yAxis),
  };
}

/** The type of line of a player's look. */
export function lineType({ dash }) {
  return dash.length ? dash : "solid";
}

/** Space for the labels of an axis of categories, in pixels: their length, at most a part of the page's width. */
export function labelSpace(labels) {
  const most = Math.min(230, Math.max(90, globalThis.innerWidth * 0.35));
  return Math.min(most, 24 + 8 * Math.max(...labels.map((l) => l.length)));
}

/**
 * The tooltip of all series at a place of the axis: head(value) names the place, show(value) is the text of a value.
 */
export function axisTip(head, show = (value) => value) {
  const line = ({ seriesName, value }) => [seriesName, value[1] === null ? null : show(value[1])];
  return { trigger: "axis", formatter: (list) => tip(head(list[0].value[0]), list.map(line)) };
}

/** A tooltip of lines of text: [[label, value]] below a head. ECharts gets elements, never markup. */
export function tip(head, lines) {
  return el(
    "div",
    { class: "tip" },
    el("strong", { text: visible(head) }),
    el(
      "dl",
      {},
      lines
        .filter((l) => l[1] !== null && l[1] !== undefined && l[1] !== "")
        .map(([label, value]) => [
          el("dt", { text: visible(label) }),
          el("dd", { text: visible(typeof value === "number" ? number(value, 2) : value) }),
        ]),
    ),
  );
}

function savePicture(title, plain, paper, renderer) {
  const stage = el("div");
  const width = Math.max(900, paper.clientWidth);
  const option = dress(plain, width);
  stage.style.cssText = `position:absolute;left:-10000px;width:${width}px;height:${paper.clientHeight + 40}px`;
  document.body.append(stage);
  const chart = library().init(stage, null, { renderer, devicePixelRatio: 2 });
  const top = 32;
  const grids = [option.grid]
    .flat()
    .filter(Boolean)
    .map((g) => ({ ...g, top: typeof g.top === "number" ? g.top + top : g.top }));
  chart.setOption({
    ...option,
    backgroundColor: colour("--paper"),
    title: { text: visible(title), left: 8, top: 4, textStyle: { fontSize: 15, color: colour("--ink") } },
    legend: option.legend && { ...option.legend, top },
    grid: grids,
  });
  const url = chart.getDataURL({
    type: renderer === "svg" ? "svg" : "png",
    backgroundColor: colour("--paper"),
    pixelRatio: 2,
  });
  chart.dispose();
  stage.remove();
  const comma = url.indexOf(",");
  const [head, body] = [url.slice(0, comma), url.slice(comma + 1)];
  const content = head.endsWith(";base64")
    ? Uint8Array.from(atob(body), (c) => c.charCodeAt(0))
    : decodeURIComponent(body);
  const type = renderer === "svg" ? "image/svg+xml" : "image/png";
  save(fileName(title) + (renderer === "svg" ? ".svg" : ".png"), new Blob([content], { type }));
}

/** A heading row of buttons of which one is chosen. */
export function choice(label, values, chosen, action) {
  const box = el("div", { class: "choice", role: "group", "aria-label": label });
  const draw = (now) =>
    replace(
      box,
      values.map(([value, text]) =>
        button(
          text,
          () => {
            draw(value);
            action(value);
          },
          { class: "small", "aria-pressed": String(value === now) },
        ),
      ),
    );
  draw(chosen);
  return box;
}
