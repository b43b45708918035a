"use strict";
// Draws the rows of one or two runs as SVG, at any zoom. What is narrower than a pixel is drawn together, so a
// picture never holds more rectangles than it has pixels. Both runs share one time scale, each from its own
// first device operation.

const runs = JSON.parse(document.getElementById("data").textContent);
const label_width = 118, lane_height = 20, row_gap = 8, axis_height = 26, ns = "http://www.w3.org/2000/svg";
const CLASSES = ["kernel", "copy", "pageable", "memset", "launch", "call", "wait", "memory", "range", "overhead", "mark",
  "gap-copy", "gap-loader", "gap-api", "gap-synchronise", "gap-launch", "gap-first-use"];

const BEGIN = 0, LENGTH = 1, NAME = 2, CLASS = 3, DETAIL = 4, FIELDS = 5;

// ---- words ----

function time_words(t) {
  const figures = (v, unit) => v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0) + " " + unit;
  if (t < 1000) return t.toFixed(0) + " ns";
  if (t < 999.5e3) return figures(t / 1e3, "us");
  if (t < 999.5e6) return figures(t / 1e6, "ms");
  return figures(t / 1e9, "s");
}

// ---- the view: nanoseconds since the first device operation, shared by all runs ----

const least = Math.min(0, ...runs.map(r => -r.window[0]));
const full = {
  begin: Math.min(...runs.map(r => r.start - r.window[0])),
  end: Math.max(...runs.map(r => r.window[1] - r.window[0])),
};
if (!(full.end > full.begin)) full.end = full.begin + 1;
const whole = { begin: least, end: Math.max(full.end, ...runs.map(r => r.end - r.window[0])) };
const view = { ...full };

function set_view(begin, end) {
  const length = Math.min(Math.max(end - begin, 20), whole.end - whole.begin);
  begin = Math.min(Math.max(begin, whole.begin), whole.end - length);
  view.begin = begin;
  view.end = begin + length;
  request_draw();
}
function zoom(factor, about) {
  const at = about === undefined ? (view.begin + view.end) / 2 : about;
  set_view(at - (at - view.begin) * factor, at + (view.end - at) * factor);
}
function pan(share) {
  const by = (view.end - view.begin) * share;
  set_view(view.begin + by, view.end + by);
}
function show(begin, end) {
  const room = Math.max((end - begin) * 0.25, 50);
  set_view(begin - room, end + room);
}

// ---- drawing ----

let draw_wanted = false;
function request_draw() {
  if (draw_wanted) return;
  draw_wanted = true;
  requestAnimationFrame(() => {
    draw_wanted = false;
    charts.forEach(c => c.draw());
    performance.mark("drawn");
  });
}

function element(name, attributes, text) {
  const e = document.createElementNS(ns, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  return e;
}

function first_ending_after(lane, t) {
  let low = 0, high = lane.length / FIELDS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane[middle * FIELDS + BEGIN] + lane[middle * FIELDS + LENGTH] <= t) low = middle + 1; else high = middle;
  }
  return low;
}

class Chart {
  constructor(run, box) {
    this.hatch = box.id + "-hatch";
    this.run = run;
    this.box = box;
    this.svg = box.querySelector("svg");
    this.chosen = null;  // {row, lane, index}
    this.height = axis_height;
    for (const row of run.rows) {
      row.y = this.height;
      this.height += row.lanes.length * lane_height + row_gap;
    }
    this.listen();
  }
  width() { return Math.max(this.box.clientWidth, 280); }
  x(t) { return label_width + (t - view.begin) / (view.end - view.begin) * (this.width() - label_width); }
  time_at(x) { return view.begin + (x - label_width) / (this.width() - label_width) * (view.end - view.begin); }
  since(t) { return t - this.run.window[0]; }

  draw() {
    const width = this.width();
    const picture = document.createDocumentFragment();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.svg.setAttribute("height", this.height);
    this.draw_axis(picture, width);
    this.run.rows.forEach((row, index) => this.draw_row(picture, row, index, width));
    this.draw_chosen(picture);
    this.svg.replaceChildren(this.patterns(), picture);
  }
  patterns() {
    const defs = element("defs");
    const p = element("pattern", { id: this.hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    p.append(element("rect", { width: 6, height: 6, fill: "var(--pageable)" }),
             element("rect", { width: 2, height: 6, fill: "var(--on-bar)", opacity: 0.18 }));
    defs.append(p);
    return defs;
  }
  draw_axis(picture, width) {
    const span = view.end - view.begin;
    const raw = span / Math.max(2, Math.floor((width - label_width) / 110));
    const power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = power * [1, 2, 5, 10].find(m => m * power >= raw);
    for (let t = Math.ceil(view.begin / step) * step; t <= view.end; t += step) {
      const x = this.x(t);
      picture.append(element("line", { class: "grid", x1: x, x2: x, y1: axis_height - 6, y2: this.height }));
      if (x < width - 40)
        picture.append(element("text", { class: "soft", x: x + 3, y: 14 },
                               t === 0 ? "0" : (t < 0 ? "-" : "") + time_words(Math.abs(t))));
    }
  }
  draw_row(picture, row, index, width) {
    const height = row.lanes.length * lane_height;
    if (index % 2 === 0)
      picture.append(element("rect", { class: "stripe", x: 0, y: row.y - row_gap / 2, width, height: height + row_gap }));
    row.lanes.forEach((lane, number) => this.draw_lane(picture, row, lane, row.y + number * lane_height));
    // Over the bars: what was panned to the left goes under the names of the rows.
    picture.append(element("rect", { x: 0, y: row.y - row_gap / 2, width: label_width - 4, height: height + row_gap,
                                     fill: index % 2 === 0 ? "var(--panel)" : "var(--ground)" }));
    picture.append(element("text", { x: 8, y: row.y + 14 }, row.label));
  }
  draw_lane(picture, row, lane, y) {
    const right = this.width();
    let held = null;  // narrow bars drawn together
    const flush = () => {
      if (held) picture.append(this.bar(held.x, held.end, y, held.kind, held.count > 1 ? held.filled / Math.max(1, held.end - held.x) : 1));
      held = null;
    };
    for (let i = first_ending_after(lane, view.begin + this.run.window[0]); i * FIELDS < lane.length; ++i) {
      const at = i * FIELDS, begin = this.x(this.since(lane[at + BEGIN]));
      if (begin > right) break;
      const end = this.x(this.since(lane[at + BEGIN] + lane[at + LENGTH]));
      const x = Math.max(begin, label_width - 6), w = Math.min(end, right + 6) - x;
      if (w >= 2) {
        flush();
        picture.append(this.bar(x, x + w, y, lane[at + CLASS], 1));
        if (w > 28) this.write(picture, this.run.names[lane[at + NAME]], x, w, y);
      } else if (held && begin - held.end < 1 && held.kind === lane[at + CLASS] && held.end - held.x < 4) {
        held.filled += Math.max(w, 0.2);
        held.end = Math.max(held.end, end);
        ++held.count;
      } else {
        flush();
        held = { x, end: Math.max(end, x + 1), kind: lane[at + CLASS], filled: Math.max(w, 0.2), count: 1 };
      }
    }
    flush();
  }
  bar(x, end, y, kind, filled) {
    const fill = CLASSES[kind] === "pageable" ? `url(#${this.hatch})` : `var(--${CLASSES[kind]})`;
    return element("rect", { x: x.toFixed(2), y: y + 1, width: Math.max(end - x, 0.8).toFixed(2), height: lane_height - 3, rx: end - x > 6 ? 2 : 0,
                             fill, opacity: Math.min(1, Math.max(0.35, filled)).toFixed(2) });
  }
  write(picture, text, x, width, y) {
    const letters = Math.floor((width - 8) / 7.3);  // what is longer would stick out of its bar
    if (letters < 3) return;
    const fit = text.length <= letters ? text : text.slice(0, letters - 1) + "\u2026";
    picture.append(element("text", { class: "bar", x: x + 4, y: y + 14 }, fit));
  }
  draw_chosen(picture) {
    if (!this.chosen) return;
    const { row, lane, index } = this.chosen, items = this.run.rows[row].lanes[lane], at = index * FIELDS;
    const x = Math.max(this.x(this.since(items[at + BEGIN])), label_width);
    const end = Math.min(this.x(this.since(items[at + BEGIN] + items[at + LENGTH])), this.width());
    if (end < label_width || x > this.width()) return;
    picture.append(element("rect", { class: "chosen", x: x - 1, y: this.run.rows[row].y + lane * lane_height, width: Math.max(end - x, 2) + 2,
                                     height: lane_height - 1 }));
  }

  // ---- what lies under a point, and what is chosen ----

  find(x, y) {
    const row = this.run.rows.findIndex(r => y >= r.y && y < r.y + r.lanes.length * lane_height);
    if (row < 0 || x < label_width) return null;
    const lane = Math.floor((y - this.run.rows[row].y) / lane_height), items = this.run.rows[row].lanes[lane];
    const slack = 2 * (view.end - view.begin) / (this.width() - label_width);
    const t = this.time_at(x) + this.run.window[0];
    const index = first_ending_after(items, t - slack);
    return index * FIELDS < items.length && items[index * FIELDS + BEGIN] <= t + slack ? { row, lane, index } : null;
  }
  describe({ row, lane, index }) {
    const items = this.run.rows[row].lanes[lane], at = index * FIELDS;
    const detail = this.run.names[items[at + DETAIL]];
    const place = this.since(items[at + BEGIN]);
    const when = `${time_words(items[at + LENGTH])}, ${place < 0 ? time_words(-place) + " before the first device operation" : "at " + time_words(place)}`;
    return `${this.run.rows[row].label}: ${this.run.names[items[at + NAME]]}\n${when}${detail ? "\n" + detail : ""}`;
  }
  choose(target, reveal) {
    this.chosen = target;
    const items = this.run.rows[target.row].lanes[target.lane], at = target.index * FIELDS;
    const begin = this.since(items[at + BEGIN]), end = begin + items[at + LENGTH];
    if (reveal && (end < view.begin || begin > view.end)) {
      const half = (view.end - view.begin) / 2, middle = (begin + end) / 2;
      set_view(middle - half, middle + half);
    }
    say(this.describe(target));
    request_draw();
  }
  // The next in time in the row, in any of its lanes.
  step(by) {
    if (!this.chosen) return this.enter_row(0);
    const { row, lane, index } = this.chosen, next = index + by;
    if (next >= 0 && next * FIELDS < this.run.rows[row].lanes[lane].length) this.choose({ row, lane, index: next }, true);
  }
  enter_row(row) {
    if (row < 0 || row >= this.run.rows.length) return;
    let t = view.begin + this.run.window[0];
    if (this.chosen) {
      const c = this.chosen;
      t = this.run.rows[c.row].lanes[c.lane][c.index * FIELDS + BEGIN];
    }
    const items = this.run.rows[row].lanes[0];
    if (items.length === 0) return;
    const index = Math.min(first_ending_after(items, t), items.length / FIELDS - 1);
    this.choose({ row, lane: 0, index }, true);
  }
  step_down(by) {
    if (!this.chosen) return this.enter_row(0);
    const { row, lane } = this.chosen, lanes = this.run.rows[row].lanes;
    if (lane + by >= 0 && lane + by < lanes.length && lanes[lane + by].length > 0) {
      const t = lanes[lane][this.chosen.index * FIELDS + BEGIN];
      const index = Math.min(first_ending_after(lanes[lane + by], t), lanes[lane + by].length / FIELDS - 1);
      return this.choose({ row, lane: lane + by, index }, true);
    }
    this.enter_row(row + by);
  }
  zoom_to_chosen() {
    if (!this.chosen) return;
    const { row, lane, index } = this.chosen, items = this.run.rows[row].lanes[lane], at = index * FIELDS;
    const begin = this.since(items[at + BEGIN]);
    show(begin, begin + items[at + LENGTH]);
  }

  listen() {
    this.box.addEventListener("keydown", event => this.on_key(event));
    this.box.addEventListener("focus", () => { if (!this.chosen) this.enter_row(0); });
    this.box.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;  // the page scrolls as always
      event.preventDefault();
      const x = event.clientX - this.box.getBoundingClientRect().left;
      if (event.shiftKey) pan((event.deltaY || event.deltaX) / 600); else zoom(Math.exp(event.deltaY / 300), this.time_at(x));
    }, { passive: false });
    const fingers = new Map();
    this.box.addEventListener("pointerdown", event => {
      fingers.set(event.pointerId, event.clientX);
      this.dragged = false;
    });
    this.box.addEventListener("pointermove", event => {
      const rect = this.box.getBoundingClientRect();
      if (!fingers.has(event.pointerId)) return this.hover(event, rect);
      const before = [...fingers.values()], moved = event.clientX - fingers.get(event.pointerId);
      fingers.set(event.pointerId, event.clientX);
      const after = [...fingers.values()];
      if (Math.abs(moved) > 1) this.dragged = true;
      if (after.length === 2)
        zoom(Math.abs(before[0] - before[1]) / Math.max(8, Math.abs(after[0] - after[1])), this.time_at((after[0] + after[1]) / 2 - rect.left));
      else
        pan(-moved / (this.width() - label_width));
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      this.box.addEventListener(name, event => {
        fingers.delete(event.pointerId);
        hide_hover();
      });
    this.box.addEventListener("click", event => {
      const rect = this.box.getBoundingClientRect();
      const target = this.dragged ? null : this.find(event.clientX - rect.left, event.clientY - rect.top);
      if (target) this.choose(target, false);
    });
    this.box.addEventListener("dblclick", event => {
      const rect = this.box.getBoundingClientRect();
      zoom(0.4, this.time_at(event.clientX - rect.left));
    });
  }
  hover(event, rect) {
    const target = this.find(event.clientX - rect.left, event.clientY - rect.top);
    if (!target) return hide_hover();
    hover.textContent = this.describe(target);
    hover.hidden = false;
    hover.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - hover.offsetWidth - 8)) + "px";
    hover.style.top = Math.min(event.clientY + 18, window.innerHeight - hover.offsetHeight - 8) + "px";
  }
  on_key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.step_down(1), ArrowUp: () => this.step_down(-1),
      "+": () => zoom(0.5, this.middle_of_chosen()), "=": () => zoom(0.5, this.middle_of_chosen()),
      "-": () => zoom(2, this.middle_of_chosen()), "0": () => set_view(full.begin, full.end),
      Enter: () => this.zoom_to_chosen(), PageDown: () => pan(0.8), PageUp: () => pan(-0.8),
      g: () => this.step_gap(1), G: () => this.step_gap(-1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
  middle_of_chosen() {
    if (!this.chosen) return undefined;
    const { row, lane, index } = this.chosen, items = this.run.rows[row].lanes[lane], at = index * FIELDS;
    const middle = this.since(items[at + BEGIN]) + items[at + LENGTH] / 2;
    return middle >= view.begin && middle <= view.end ? middle : undefined;
  }
  step_gap(by) {
    const row = this.run.rows.findIndex(r => r.kind === "gaps");
    if (row < 0) return;
    if (this.chosen && this.chosen.row === row) this.step(by); else this.enter_row(row);
  }
}

// ---- the page around the pictures ----

const hover = document.getElementById("hover"), said = document.getElementById("said");
function hide_hover() { hover.hidden = true; }
function say(text) { said.textContent = text; }

const charts = [...document.querySelectorAll(".chart")].map((box, i) => new Chart(runs[i], box));
document.getElementById("controls").hidden = false;
document.getElementById("closer").addEventListener("click", () => zoom(0.5, charts[0].middle_of_chosen()));
document.getElementById("wider").addEventListener("click", () => zoom(2, charts[0].middle_of_chosen()));
document.getElementById("earlier").addEventListener("click", () => pan(-0.5));
document.getElementById("later").addEventListener("click", () => pan(0.5));
document.getElementById("all").addEventListener("click", () => set_view(full.begin, full.end));
for (const button of document.querySelectorAll("button[data-begin]"))
  button.addEventListener("click", () => {
    const run = Number(button.dataset.run), begin = Number(button.dataset.begin) - runs[run].window[0];
    show(begin, begin + Number(button.dataset.length));
    const row = runs[run].rows.findIndex(r => r.kind === "gaps");
    const index = first_ending_after(runs[run].rows[row].lanes[0], Number(button.dataset.begin));
    charts[run].choose({ row, lane: 0, index }, false);
    charts[run].box.scrollIntoView({ block: "nearest" });
  });
new ResizeObserver(request_draw).observe(document.body);
request_draw();
