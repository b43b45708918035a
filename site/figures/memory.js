/* One access of a warp: the sectors of global memory that it touches, or its passes over the banks of shared memory. */
(function (root, make) {
  if (typeof module !== "undefined" && module.exports) module.exports = make(require("./shell.js"), require("./models.js"));
  else root.workbook_shell.define(make(root.workbook_shell, root.workbook_models));
})(typeof self !== "undefined" ? self : this, (shell, models) => {
  "use strict";
  const { rect, text, tag } = shell;
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const expression = s => ({ linear: "x[lane]", shifted: `x[lane + ${s.k}]`, stride: `x[${s.k} * lane]`, reversed: "x[31 - lane]", same: "x[0]", scattered: "x[index[lane]]" })[s.pattern];
  const where_of = s => models.addresses({ pattern: s.pattern, k: s.k, bytes: s.bytes });

  // Lines of 128 bytes, four sectors each; a column holds eight of them.
  function view_global(state) {
    const where = where_of(state), found = models.global_access(where, state.bytes), chosen = where[state.lane];
    const touched = new Set(found.sectors), columns = Math.max(1, Math.ceil(found.lines.length / 8));
    const sector = columns === 1 ? 150 : columns === 2 ? 78 : 39, gap = 4, wide = 4 * (sector + gap) + 18, high = 26;
    const byte = sector / models.SECTOR;
    let inside = "";
    found.lines.forEach((line, index) => {
      const left = 6 + Math.floor(index / 8) * wide, top = 24 + index % 8 * high;
      for (let k = 0; k < 4; ++k) {
        const number = line * 4 + k, x = left + k * (sector + gap);
        inside += rect(x, top, sector, 17, { class: touched.has(number) ? "sector touched" : "sector" });
      }
    });
    const place = address => {
      const index = found.lines.indexOf(Math.floor(address / models.LINE)), in_line = address % models.LINE;
      return { x: 6 + Math.floor(index / 8) * wide + Math.floor(in_line / 32) * (sector + gap) + in_line % 32 * byte, y: 24 + index % 8 * high };
    };
    [...new Set(where)].forEach(address => {
      const at = place(address);
      inside += rect(at.x + .3, at.y + 1, Math.max(1, Math.min(state.bytes * byte - .6, sector)), 15, { class: "wanted" + (address === chosen ? " chosen" : ""), "data-pick": where.indexOf(address) });
    });
    inside += text(6, 15, columns === 1 ? "a row: one line of 128 bytes; a box: one sector of 32" : "a row of four boxes: one line of 128 bytes", { class: "soft" });
    const percent = Math.round(found.share * 100);
    const measured = state.measured && state.pattern === "stride" && state.bytes === 4 && state.measured[state.k];
    const said = `${expression(state)}, ${state.bytes} bytes each: ${plural(found.sectors.length, "sector")} in ${plural(found.lines.length, "line")}. ` +
      `${found.wanted} of ${found.moved} bytes that move are wanted, ${percent}\u00a0%. Lane ${state.lane} wants byte ${chosen}, in sector ${Math.floor(chosen / 32)}.` +
      (measured ? ` On an H200 (2026-11-30), 2^23 floats copied like this: ${measured} us.` : "");
    return { svg: shell.svg(6 + columns * wide, 30 + Math.min(8, found.lines.length) * high, inside, "The sectors that a warp touches"), said,
             table: shell.table(["", ""], [["sectors (in Nsight Compute: sectors per request)", found.sectors.length], ["lines of 128 bytes", found.lines.length], ["bytes wanted", found.wanted],
                                           ["bytes moved", found.moved], ["share that is used", `${percent} %`]]) };
  }

  // 32 columns, one for each bank; what a bank must give one after the other stands one above the other.
  function view_shared(state) {
    const where = where_of(state), found = models.shared_access(where, state.bytes);
    const wide = 21, high = found.wavefronts > 16 ? 13 : 19, left = 78;
    let inside = text(left, 14, "bank 0", { class: "soft" }) + text(left + 32 * wide, 14, "31", { class: "soft", "text-anchor": "end" }), row = 0;
    found.groups.forEach(group => {
      for (let pass = 0; pass < group.count; ++pass, ++row) {
        const y = 22 + row * high;
        inside += text(6, y + high - 5, `pass ${row + 1}`, { class: "name" });
        inside += tag("path", { class: "sector", d: group.banks.map((held, bank) => (held[pass] ? "" : `M${left + bank * wide + 1} ${y}h${wide - 2}v${high - 2}h-${wide - 2}z`)).join("") });
        group.banks.forEach((held, bank) => {
          const there = held[pass];
          if (!there) return;
          inside += rect(left + bank * wide + 1, y, wide - 2, high - 2, { class: "wanted" + (there.lanes.includes(state.lane) ? " chosen" : ""), "data-pick": there.lanes[0] });
          if (high > 15) inside += text(left + bank * wide + wide / 2, y + 13, there.lanes.length > 1 ? "·" : there.lanes[0], { class: "in", "text-anchor": "middle" });
        });
      }
    });
    const word = Math.floor(where[state.lane] / 4), why = found.wavefronts === found.groups.length ? "No bank has to give two different words." :
      `Some bank has to give ${Math.max(...found.groups.map(g => g.count))} different words, one after the other.`;
    const said = `${expression(state)} in shared memory, ${state.bytes} bytes each: ${plural(found.wavefronts, "pass")}`.replace(/passs$/, "passes") +
      `. ${why} Lane ${state.lane} wants word ${word}, bank ${word} % 32 = ${word % 32}.`;
    return { svg: shell.svg(left + 32 * wide + 6, 26 + row * high, inside, "The banks of shared memory"), said,
             table: shell.table(["", ""], [["passes over the banks (wavefronts)", found.wavefronts], ["groups of lanes", found.groups.length], ["words of 4 bytes for each lane", Math.max(1, state.bytes / 4)]]) };
  }

  return {
    name: "wb-memory",
    title: "One access of a warp",
    help: "Left and Right choose a lane once the picture has the focus; a click on what it wants does too.",
    initial: data => ({ space: data.space || "global", pattern: data.pattern || "stride", k: Number(data.k || 2), bytes: Number(data.bytes || 4), lane: Number(data.lane || 5),
                        measured: data.measured ? JSON.parse(data.measured) : null }),
    controls: state => [
      { name: "space", label: "Memory", options: [["global", "global: sectors"], ["shared", "shared: banks"]] },
      { name: "pattern", label: "Lane takes", options: [["linear", "x[lane]"], ["shifted", "x[lane + k]"], ["stride", "x[k * lane]"], ["reversed", "x[31 - lane]"], ["same", "x[0]"], ["scattered", "x[index[lane]]"]] },
      { name: "bytes", label: "Bytes", options: (state.space === "shared" ? [4, 8, 16] : [1, 2, 4, 8, 16]).map(b => [String(b), String(b)]) },
    ].concat(state.pattern === "shifted" || state.pattern === "stride" ? [{ name: "k", label: "k =", min: state.pattern === "stride" ? 1 : 0, max: 33 }] : []),
    change(state, name, value) {
      const next = { ...state, [name]: name === "bytes" ? Number(value) : value };
      if (next.space === "shared" && next.bytes < 4) next.bytes = 4;
      if (next.pattern === "stride" && next.k < 1) next.k = 1;
      return next;
    },
    view: state => (state.space === "shared" ? view_shared(state) : view_global(state)),
    key(state, key) {
      const to = { ArrowRight: state.lane + 1, ArrowDown: state.lane + 1, ArrowLeft: state.lane - 1, ArrowUp: state.lane - 1, Home: 0, End: 31 }[key];
      return to === undefined ? null : { ...state, lane: Math.min(Math.max(to, 0), 31) };
    },
    pick: (state, index) => ({ ...state, lane: index }),
  };
});
