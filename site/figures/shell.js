/* What all figures share: a box with controls, a picture that the keyboard walks over, a sentence that says what is chosen,
   and a table of the numbers. A figure gives `controls` and `view(state)`; it draws by returning text, so that what stands
   in the page before any script runs (the fallback) is made by the same code. */
(function (root, make) {
  if (typeof module !== "undefined" && module.exports) module.exports = make();
  else root.workbook_shell = make();
})(typeof self !== "undefined" ? self : this, () => {
  "use strict";

  const escaped = text => String(text).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const attributes = values => Object.entries(values).filter(([, v]) => v !== undefined && v !== false)
    .map(([k, v]) => ` ${k}="${escaped(v)}"`).join("");
  const tag = (name, values, inside = "") => `<${name}${attributes(values)}>${inside}</${name}>`;
  const text = (x, y, words, values = {}) => tag("text", { x, y, ...values }, escaped(words));
  const rect = (x, y, width, height, values = {}) => `<rect${attributes({ x, y, width, height, ...values })}/>`;
  const svg = (width, height, inside, label) =>
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}" style="max-width:${(width / 16).toFixed(1)}rem;min-width:${Math.min(30, width / 16).toFixed(1)}rem">${inside}</svg>`;
  const head_of = heads => (heads.some(Boolean) ? `<thead><tr>${heads.map(h => (h ? `<th scope="col">${escaped(h)}</th>` : "<td></td>")).join("")}</tr></thead>` : "");
  const table = (heads, rows) => `<div class="scroll" tabindex="0" role="group" aria-label="The numbers"><table class="plain">${head_of(heads)}` +
    `<tbody>${rows.map(r => `<tr>${r.map(c => `<td>${escaped(c)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>`;

  /** What stands inside the element before a script runs. */
  function fallback(figure, state) {
    const view = figure.view(state);
    return `<div class="canvas scroll"><div class="drawn">${view.svg}</div></div><p class="said">${escaped(view.said)}</p>`;
  }

  let made = 0;

  /** Makes the custom element NAME of a figure {name, title, help, initial(data), controls(state), view(state), key(state, key), pick(state, index)}. */
  function define(figure) {
    if (typeof customElements === "undefined") return;
    customElements.define(figure.name, class extends HTMLElement {
      connectedCallback() {
        if (this.state) return;
        this.number = ++made;
        this.state = figure.initial(this.dataset);
        this.innerHTML = "";
        this.build();
        this.draw();
      }
      build() {
        const id = `figure-${this.number}`;
        this.controls = document.createElement("form");
        this.controls.className = "controls";
        this.controls.setAttribute("aria-label", this.number > 1 ? `${figure.title}, figure ${this.number} of this page` : figure.title);
        this.controls.addEventListener("submit", e => e.preventDefault());
        this.controls.addEventListener("input", e => this.on_input(e));
        this.stage = document.createElement("div");
        this.stage.className = "stage canvas scroll";
        this.stage.tabIndex = 0;
        this.stage.setAttribute("role", "group");
        this.stage.setAttribute("aria-label", `${figure.title}. ${figure.help}`);
        this.stage.addEventListener("keydown", e => this.on_key(e));
        this.stage.addEventListener("click", e => this.on_click(e));
        this.said = document.createElement("output");
        this.said.className = "said";
        this.said.setAttribute("aria-live", "polite");
        this.said.id = `${id}-said`;
        this.stage.setAttribute("aria-describedby", this.said.id);
        const numbers = document.createElement("details");
        numbers.innerHTML = `<summary>${escaped(figure.numbers || "The numbers")}</summary><div></div>`;
        this.numbers = numbers.lastElementChild;
        const help = document.createElement("p");
        help.className = "help";
        help.textContent = figure.help;
        this.append(this.controls, this.stage, this.said, help, numbers);
      }
      draw_controls() {
        const active = document.activeElement && document.activeElement.name;
        const wanted = figure.controls(this.state);
        const shape = wanted.map(c => c.name + (c.options || []).map(o => o[0]).join()).join("|");
        if (shape !== this.shape) {
          this.shape = shape;
          this.controls.innerHTML = wanted.map(c => this.control(c)).join("");
          if (active && this.controls.elements[active]) this.controls.elements[active].focus();
        }
        for (const c of wanted) {
          const field = this.controls.elements[c.name];
          if (c.max !== undefined) { field.min = c.min; field.max = c.max; }
          field.value = this.state[c.name];
          const shown = this.controls.querySelector(`[data-of="${c.name}"]`);
          if (shown) shown.textContent = this.state[c.name];
        }
      }
      control(c) {
        const id = `figure-${this.number}-${c.name}`;
        if (c.options)
          return `<label for="${id}"><span>${escaped(c.label)}</span><select id="${id}" name="${c.name}">` +
            c.options.map(([value, words]) => `<option value="${escaped(value)}">${escaped(words)}</option>`).join("") + "</select></label>";
        return `<label for="${id}"><span>${escaped(c.label)} <b data-of="${c.name}"></b></span>` +
          `<input id="${id}" name="${c.name}" type="range" min="${c.min}" max="${c.max}" step="${c.step || 1}"></label>`;
      }
      draw() {
        const view = figure.view(this.state);
        this.draw_controls();
        this.stage.innerHTML = `<div class="drawn">${view.svg}</div>`;
        this.said.textContent = view.said;
        this.numbers.innerHTML = view.table || "";
        for (const [key, value] of Object.entries(this.state)) if (typeof value !== "object") this.dataset[key] = value;
      }
      on_input(event) {
        const field = event.target;
        const value = field.type === "range" ? Number(field.value) : field.value;
        this.state = figure.change ? figure.change(this.state, field.name, value) : { ...this.state, [field.name]: value };
        this.draw();
      }
      on_key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const next = figure.key(this.state, event.key);
        if (!next) return;
        event.preventDefault();
        this.state = next;
        this.draw();
      }
      on_click(event) {
        const cell = event.target.closest("[data-pick]");
        if (!cell) return;
        this.state = figure.pick(this.state, Number(cell.dataset.pick));
        this.draw();
      }
    });
  }

  return { define, fallback, svg, rect, text, tag, table, escaped };
});
