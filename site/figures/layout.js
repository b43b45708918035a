/* NCHW and NHWC: where each number of an image lies, and what neighbouring threads touch. */
(function (root, make) {
  if (typeof module !== "undefined" && module.exports) module.exports = make(require("./shell.js"), require("./models.js"));
  else root.workbook_shell.define(make(root.workbook_shell, root.workbook_models));
})(typeof self !== "undefined" ? self : this, (shell, models) => {
  "use strict";
  const { rect, text, tag } = shell;
  const COLOURS = ["red", "green", "blue", "fourth"], LETTERS = ["R", "G", "B", "A"];
  const shape_of = s => ({ n: 1, c: s.c, h: s.h, w: s.w });
  const label = p => `${LETTERS[p.c]}${p.h}${p.w}`;

  // The eight numbers that eight neighbouring threads take when the thread's number runs along `axis` first.
  function neighbours(state) {
    const shape = shape_of(state), out = [], start = state.at;
    for (let k = 0; k < 8; ++k) {
      const at = { n: 0, c: start.c, h: start.h, w: start.w };
      if (state.axis === "w") { const p = start.h * state.w + start.w + k; at.h = Math.floor(p / state.w); at.w = p % state.w; if (p >= state.w * state.h) break; }
      else { const p = (start.h * state.w + start.w) * state.c + start.c + k, pixel = Math.floor(p / state.c); at.c = p % state.c; at.h = Math.floor(pixel / state.w); at.w = pixel % state.w; if (pixel >= state.w * state.h) break; }
      out.push(models.offset(models.strides(shape, state.layout), at));
    }
    return out;
  }

  function view(state) {
    const shape = shape_of(state), order = models.places(shape, state.layout), strides = models.strides(shape, state.layout);
    const at = { n: 0, c: Math.min(state.at.c, state.c - 1), h: Math.min(state.at.h, state.h - 1), w: Math.min(state.at.w, state.w - 1) };
    const mine = models.offset(strides, at), near = neighbours({ ...state, at }), wide = 42, high = 30, across = 16;
    let inside = text(6, 15, "memory, from left to right and row by row; below each number its place", { class: "soft" });
    order.forEach((p, place) => {
      const x = 6 + place % across * wide, y = 24 + Math.floor(place / across) * (high + 18);
      inside += tag("g", { class: `number ${COLOURS[p.c]}${near.includes(place) ? " near" : ""}${place === mine ? " chosen" : ""}`, "data-pick": place },
        rect(x + 1, y, wide - 3, high, { rx: 3 }) + text(x + wide / 2, y + 20, label(p), { "text-anchor": "middle" })) +
        text(x + wide / 2, y + high + 12, place, { class: "soft small", "text-anchor": "middle" });
    });
    const apart = near.length > 1 ? near[1] - near[0] : 0;
    const said = `${state.layout.toUpperCase()}: strides n ${strides.n}, c ${strides.c}, h ${strides.h}, w ${strides.w}. Channel ${at.c} of the pixel in row ${at.h}, column ${at.w} lies at ` +
      `${at.c} × ${strides.c} + ${at.h} × ${strides.h} + ${at.w} × ${strides.w} = ${mine}. ` +
      (apart === 1 ? "The marked neighbours lie side by side." : `The next of the marked neighbours lies ${apart} numbers further on.`);
    return { svg: shell.svg(12 + across * wide, 28 + Math.ceil(order.length / across) * (high + 18), inside, "Memory, number by number"), said, at, mine,
             table: shell.table(["", "n", "c", "h", "w"], [["shape", 1, state.c, state.h, state.w], ["strides", strides.n, strides.c, strides.h, strides.w], ["chosen", 0, at.c, at.h, at.w]]) };
  }

  const at_place = (state, place) => {
    const p = models.places(shape_of(state), state.layout)[place];
    return p ? { ...state, at: { c: p.c, h: p.h, w: p.w } } : state;
  };

  return {
    name: "wb-layout",
    title: "Layouts of an image",
    help: "Left and Right go to the next place in memory, Up and Down to the next channel, once the picture has the focus.",
    initial: data => ({ layout: data.layout || "nchw", axis: data.axis || "w", c: Number(data.c || 3), h: Number(data.h || 3), w: Number(data.w || 5), at: { c: 0, h: 1, w: 0 } }),
    controls: () => [
      { name: "layout", label: "Layout", options: [["nchw", "NCHW: plane by plane"], ["nhwc", "NHWC: pixel by pixel"]] },
      { name: "axis", label: "Neighbouring threads", options: [["w", "take neighbouring pixels"], ["c", "take neighbouring channels"]] },
      { name: "c", label: "channels C", min: 1, max: 4 }, { name: "h", label: "rows H", min: 1, max: 4 }, { name: "w", label: "columns W", min: 1, max: 8 }],
    view,
    key(state, key) {
      const v = view(state), all = state.c * state.h * state.w;
      const to = { ArrowRight: v.mine + 1, ArrowLeft: v.mine - 1, Home: 0, End: all - 1 }[key];
      if (to !== undefined) return at_place(state, Math.min(Math.max(to, 0), all - 1));
      const by = { ArrowDown: 1, ArrowUp: -1 }[key];
      return by === undefined ? null : { ...state, at: { ...v.at, c: (v.at.c + by + state.c) % state.c } };
    },
    pick: at_place,
  };
});
