/* A timeline in a page: the script that draws the page of `profile --html` (src/timeline/page/page.js), unchanged, in a box of
   its own. It is put in at the mark below when the book is built, and sees the figure as if that were its document. */
(() => {
  "use strict";
  let made = 0;

  function draw_page(document) {
    /* page.js */
  }

  const LEGEND = [["kernel", "kernel"], ["copy", "copy"], ["pageable", "copy of pageable memory"], ["launch", "launch"], ["call", "call"], ["wait", "wait"], ["range", "NVTX range"]];
  const KEYS = "Once a picture has the focus: Left and Right choose the bar before and after, Up and Down the row, Enter zooms to the bar, + and - zoom, PageUp and PageDown move, 0 shows all, g the next gap. With the mouse: drag to move, Ctrl and the wheel to zoom.";

  customElements.define("wb-timeline", class extends HTMLElement {
    connectedCallback() {
      if (this.inside) return;
      const data = JSON.parse(this.querySelector("script[type='application/json']").textContent), number = ++made;
      this.inside = { data: { textContent: JSON.stringify(data.runs) } };
      this.replaceChildren();
      const add = (parent, name, values, words) => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(values || {})) element.setAttribute(key, value);
        if (words !== undefined) element.textContent = words;
        parent.append(element);
        return element;
      };
      const controls = this.inside.controls = add(this, "div", { class: "controls", role: "group", "aria-label": "Zoom" });
      for (const [id, words] of [["closer", "Zoom in"], ["wider", "Zoom out"], ["earlier", "Earlier"], ["later", "Later"], ["all", "All"]])
        this.inside[id] = add(controls, "button", { type: "button" }, words);
      data.runs.forEach((run, index) => {
        add(this, "p", { class: "run" }, `${run.label ? run.label + ": " : ""}${data.headlines[index]}`);
        add(this, "p", { class: "figures" }, data.figures[index]);
        const chart = add(this, "div", { class: "chart", id: `timeline-${number}-${index}`, tabindex: 0, role: "application",
                                         "aria-label": `Timeline${run.label ? ", " + run.label : ""}. Arrow keys choose a bar; it is read out below.` });
        chart.append(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
        chart.firstChild.setAttribute("aria-hidden", "true");
      });
      this.inside.said = add(this, "p", { class: "said", role: "status" }, "Choose a bar to read about it.");
      const legend = add(this, "ul", { class: "legend" });
      for (const [kind, words] of LEGEND) {
        const item = add(legend, "li");
        add(item, "span", { class: "swatch", style: `background: var(--${kind})` });
        item.append(words);
      }
      add(this, "p", { class: "help" }, KEYS);
      this.inside.hover = add(this, "div", { class: "hover", "aria-hidden": "true", hidden: "" });
      const page = document;
      draw_page({
        body: this,
        getElementById: id => this.inside[id],
        querySelectorAll: selector => this.querySelectorAll(selector),
        createElementNS: page.createElementNS.bind(page),
        createDocumentFragment: page.createDocumentFragment.bind(page),
      });
    }
  });
})();
