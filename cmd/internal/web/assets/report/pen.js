// A pen draws lines and marks: on a canvas, or into an SVG picture to save. What figures that are drawn by it share.

import { svg } from "../dom.js";

/** Gives a canvas a size, which empties it, and returns its context, which draws in pixels of the page. */
export function sized(canvas, width, height, ratio) {
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** What calls an action at the next frame of the screen, once for all calls before it. */
export function oncePerFrame(action) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      action();
    });
  };
}

/** A pen for a canvas whose context has the scale of the screen already. */
export function canvasPen(context) {
  function finish(ink, edge, width) {
    if (ink) {
      context.fillStyle = ink;
      context.fill();
    }
    if (edge) {
      context.lineWidth = width;
      context.strokeStyle = edge;
      context.stroke();
    }
    context.globalAlpha = 1;
  }
  return {
    lines(lists, { ink, width = 1, alpha = 1, dash = [] }) {
      context.globalAlpha = alpha;
      context.strokeStyle = ink;
      context.lineWidth = width;
      context.lineJoin = "round";
      context.setLineDash(dash);
      context.beginPath();
      for (const points of lists) {
        points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      }
      context.stroke();
      context.globalAlpha = 1;
    },
    boxes(boxes, { ink, alpha = 1 }) {
      context.fillStyle = ink;
      for (const [x, y, w, h, own] of boxes) {
        context.globalAlpha = own ?? alpha;
        context.fillRect(x, y, w, h);
      }
      context.globalAlpha = 1;
    },
    /** Filled, with an edge of the same colour, so that no gap is seen between neighbours. */
    polygon(points, { ink, edge = ink, width = 0.75, alpha = 1 }) {
      context.globalAlpha = alpha;
      context.setLineDash([]);
      context.beginPath();
      points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
      finish(ink, edge, width);
    },
    /** A disc, or without ink a ring. */
    dot(x, y, r, { ink, edge, width = 1.5, alpha = 1 }) {
      context.globalAlpha = alpha;
      context.setLineDash([]);
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      finish(ink, edge, width);
    },
    text(x, y, text, { ink, size = 12, align = "left", halo, alpha = 1 }) {
      context.globalAlpha = alpha;
      context.font = size + "px sans-serif";
      context.textAlign = align;
      context.textBaseline = "middle";
      if (halo) {
        context.setLineDash([]);
        context.lineWidth = 3;
        context.strokeStyle = halo;
        context.strokeText(text, x, y);
      }
      context.fillStyle = ink;
      context.fillText(text, x, y);
      context.globalAlpha = 1;
    },
  };
}

/** The same into an SVG element: pen.picture() gives it as text. */
export function svgPen(width, height, paper) {
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height });
  root.append(svg("rect", { width, height, fill: paper }));
  const round = (v) => Math.round(v * 10) / 10;
  return {
    lines(lists, { ink, width: w = 1, alpha = 1, dash = [] }) {
      const d = lists
        .map((points) => points.map(([x, y], i) => (i ? "L" : "M") + round(x) + " " + round(y)).join(""))
        .join("");
      if (d)
        root.append(
          svg("path", {
            d,
            fill: "none",
            stroke: ink,
            "stroke-width": w,
            "stroke-opacity": alpha,
            "stroke-linejoin": "round",
            "stroke-dasharray": dash.length ? dash.join(" ") : null,
          }),
        );
    },
    boxes(boxes, { ink, alpha = 1 }) {
      for (const [x, y, w, h, own] of boxes)
        root.append(
          svg("rect", {
            x: round(x),
            y: round(y),
            width: round(w),
            height: round(h),
            fill: ink,
            "fill-opacity": round((own ?? alpha) * 100) / 100,
          }),
        );
    },
    polygon(points, { ink, edge = ink, width: w = 0.75, alpha = 1 }) {
      root.append(
        svg("path", {
          d: points.map(([x, y], i) => (i ? "L" : "M") + round(x) + " " + round(y)).join("") + "Z",
          fill: ink ?? "none",
          stroke: edge ?? null,
          "stroke-width": w,
          opacity: alpha === 1 ? null : round(alpha * 100) / 100,
        }),
      );
    },
    dot(x, y, r, { ink, edge, width: w = 1.5, alpha = 1 }) {
      root.append(
        svg("circle", {
          cx: round(x),
          cy: round(y),
          r: round(r),
          fill: ink ?? "none",
          stroke: edge ?? null,
          "stroke-width": edge ? w : null,
          opacity: alpha === 1 ? null : round(alpha * 100) / 100,
        }),
      );
    },
    text(x, y, text, { ink, size = 12, align = "left", alpha = 1 }) {
      root.append(
        svg(
          "text",
          {
            x: round(x),
            y: round(y),
            fill: ink,
            "font-size": size,
            "font-family": "sans-serif",
            "text-anchor": align === "left" ? "start" : align === "right" ? "end" : "middle",
            "dominant-baseline": "middle",
            opacity: alpha === 1 ? null : round(alpha * 100) / 100,
          },
          text,
        ),
      );
    },
    picture: () => new XMLSerializer().serializeToString(root),
  };
}
