// The map: everybody's path, where kills happened, heat, floors, and a slider that plays.

import { el, fileName, onTheme, replace, save, visible, wire } from "../dom.js";
import { clock, number } from "../format.js";
import { colour } from "../colour.js";
import { addMenu, whenNear } from "../plot.js";
import { canvasPen, oncePerFrame, sized, svgPen } from "./pen.js";
import { moment, momentBox } from "./moment.js";
import { heightChoice, layerChoice, playerChoice, timeSlider } from "./mapcontrols.js";
import { paint, paintPlan } from "./maplayers.js";
import { columns, Scene } from "./mapscene.js";

/** The maps of a game: that on which most was seen, and a list to choose another. */
export function overhead(ctx) {
  const game = ctx.game;
  if (!game?.tracks.length) {
    return el("p", {
      class: "nothing",
      text: "No positions: nothing here shows where players are. Snapshots do, once a session is deciphered.",
    });
  }
  const maps = [...new Set(game.tracks.map((t) => t.map))];
  const largest = maps.reduce((best, m) => (size(game, m) > size(game, best) ? m : best));
  const box = el("div", {});
  const draw = (map) => replace(box, mapFigure(ctx, map));
  draw(largest);
  return [maps.length > 1 ? mapChoice(game, maps, largest, draw) : null, box];
}

/** A list of the maps of a game; map -1 is one that is not known. */
function mapChoice(game, maps, chosen, draw) {
  const name = (map) => (map < 0 ? "map not known" : game.maps[map].map + " from " + clock(game.maps[map].t));
  const options = maps.map((map) => el("option", { text: visible(name(map)), selected: map === chosen }));
  return el("label", {}, "Map ", el("select", { onchange: (e) => draw(maps[e.target.selectedIndex]) }, options));
}

/** How many places of players are known on a map. */
function size(game, map) {
  return game.tracks.filter((t) => t.map === map).reduce((sum, t) => sum + t.times.length, 0);
}

/** The figure of one map, with its controls. */
function mapFigure(ctx, map) {
  const scene = new Scene(ctx, map);
  const name = map < 0 ? "the map" : ctx.game.maps[map].map;
  const title = `Where everybody was on ${name}` + (scene.side ? ", from the side" : ", from above");
  const { stage, canvas, redraw } = mapStage(scene, title);
  const status = el("p", {
    class: "note",
    role: "status",
    text: "Point at a cross to see the kill, or at a path to see who was there when; a click shows the record.",
  });
  const box = momentBox();
  followPointer(scene, stage, status, box);

  const slider = timeSlider(scene, redraw);
  ctx.watch(() => {
    slider.fit();
    redraw();
  }, "map");
  slider.fit();

  const figure = el(
    "figure",
    { class: "plot" },
    el("figcaption", {}, el("span", { class: "title" }, wire(title))),
    el("p", { class: "note", text: note(scene) }),
    layerChoice(scene, slider, redraw),
    playerChoice(scene, redraw),
    stage,
    slider.element,
    status,
    box,
    heightChoice(scene, redraw),
  );
  const pictures = {
    PNG: () => canvas.toBlob((b) => save(fileName(title) + ".png", b), "image/png"),
    SVG: () => {
      const pen = svgPen(stage.clientWidth, stage.clientHeight, colour("--paper"));
      paint(scene, pen, stage.clientWidth, stage.clientHeight);
      save(fileName(title) + ".svg", pen.picture(), "image/svg+xml");
    },
  };
  addMenu(figure, { title, pictures, columns, rows: () => scene.rows() });
  return figure;
}

/** What is seen on a map, in sentences. */
function note(scene) {
  const { plan, side } = scene;
  const { players, sides } = scene.ctx.game;
  const teams = players.some((p) => p.team === "blue");
  return (
    "Paths fade with age" +
    (teams ? `; warm colours are ${sides[0]}, cool and dashed ones ${sides[1]}` : "") +
    "; a cross is where somebody died, a dotted line connects it with the killer's position. " +
    (plan ? planNote(plan, side) : "Grey is ground that players were seen on; --map FILE draws the map itself.") +
    (side
      ? ` A tile is ${scene.unit} units of the game. Servers send a position only when the player moves differently ` +
        "than a client predicts: between two positions, up to three seconds apart, the line is straight."
      : "")
  );
}

function planNote(plan, side) {
  const from = visible(plan.from === plan.name ? plan.name : `${plan.name} (${plan.from})`);
  return (
    `Below the paths is the map, from ${from}: ` +
    (side
      ? "grey is solid; beyond its edge the outermost tiles go on."
      : "the higher a floor, the lighter; lines are walls.") +
    (plan.leftOut ? ` ${number(plan.leftOut)} of its smallest parts are left out.` : "")
  );
}

/** The picture of a scene: redraw() draws it, at most once for each frame of the screen. */
function mapStage(scene, title) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const stage = el(
    "div",
    { class: "stage", role: "img", tabindex: "0", "aria-label": visible(title) + ". The table below has the places." },
    canvas,
  );
  stage.style.height = `clamp(260px, ${Math.round(scene.shape * 100)}vw, 620px)`;
  // The plan changes with size, floors and theme alone: while paths play it is drawn once.
  const backdrop = { key: "", canvas: document.createElement("canvas") };
  const redraw = oncePerFrame(draw);
  function draw() {
    const { clientWidth: width, clientHeight: height } = stage;
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    const context = sized(canvas, width, height, ratio);
    context.fillStyle = colour("--paper");
    context.fillRect(0, 0, width, height);
    const planDrawn = scene.plan && scene.layers.plan;
    if (planDrawn) {
      const key = scene.planKey(width, height, ratio);
      if (backdrop.key !== key)
        paintPlan(scene, canvasPen(sized(backdrop.canvas, width, height, ratio)), width, height);
      backdrop.key = key;
      context.drawImage(backdrop.canvas, 0, 0, width, height);
    }
    paint(scene, canvasPen(context), width, height, { planDrawn });
    canvas.dataset.drawn = "true";
  }

  onTheme(redraw);
  new ResizeObserver(redraw).observe(stage);
  whenNear(stage, draw);
  return { stage, canvas, redraw };
}

/** Shows in the status line what the pointer is at, and in the box the record of what is clicked. */
function followPointer(scene, stage, status, box) {
  const { ctx } = scene;
  const pointed = (event) => {
    const at = stage.getBoundingClientRect();
    const projection = scene.project(stage.clientWidth, stage.clientHeight);
    return { projection, x: event.clientX - at.left, y: event.clientY - at.top };
  };
  stage.addEventListener("pointermove", (event) => {
    const point = pointed(event);
    const kill = scene.killAt(point);
    const path = kill ? null : scene.pathAt(point);
    stage.style.cursor = kill || path ? "pointer" : "";
    if (path) replace(status, wire(`${ctx.when(path.t)}: ${ctx.name(path.player)}`));
    if (kill) {
      const unit = ctx.file.recording ? "message" : "frame";
      replace(status, wire(`${ctx.when(kill.t)}: ${kill.info ?? "kill"}, ${unit} ${kill.frame}`));
    }
  });
  stage.addEventListener("click", (event) => {
    const point = pointed(event);
    const kill = scene.killAt(point);
    if (kill) return moment(ctx, box, kill.t, kill.frame);
    const path = scene.pathAt(point);
    if (path) moment(ctx, box, path.t, ctx.frameAt(path.t));
  });
}
