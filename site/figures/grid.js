/* Grids, blocks, threads: who works on which element, and who has none. */
(function (root, make) {
  if (typeof module !== "undefined" && module.exports) module.exports = make(require("./shell.js"), require("./models.js"));
  else root.workbook_shell.define(make(root.workbook_shell, root.workbook_models));
})(typeof self !== "undefined" ? self : this, (shell, models) => {
  "use strict";
  const { rect, text, tag } = shell;
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

  const kind_of = (useful, chosen) => `cell ${useful ? "on" : "idle"}${chosen ? " chosen" : ""}`;

  function view_1d(state) {
    const blocks = models.blocks_for(state.n, state.block), threads = models.threads_1d({ n: state.n, block: state.block, blocks });
    const chosen = Math.min(state.chosen, Math.max(0, threads.length - 1));
    const size = Math.min(34, Math.floor(620 / state.block)), left = 92;
    let inside = "";
    threads.forEach((t, index) => {
      const x = left + t.thread * size, y = 30 + t.block * 40;
      inside += tag("g", { class: kind_of(t.useful, index === chosen), "data-pick": index },
        rect(x + 1, y, size - 2, 30, { rx: 3 }) + (size >= 18 ? text(x + size / 2, y + 20, t.useful ? t.i : "–", { "text-anchor": "middle" }) : ""));
    });
    for (let b = 0; b < blocks; ++b) inside += text(8, 50 + b * 40, `block ${b}`, { class: "name" });
    if (blocks) inside += text(left, 18, "threadIdx.x from 0", { class: "soft" }) + text(left + state.block * size, 18, `to ${state.block - 1}`, { class: "soft", "text-anchor": "end" });
    const idle = threads.length - threads.filter(t => t.useful).length, t = threads[chosen];
    const launch = `${plural(blocks, "block")} of ${plural(state.block, "thread")}: ${plural(threads.length, "thread")} for ${plural(state.n, "element")}. ` +
      (idle ? `${plural(idle, "thread")} ${idle === 1 ? "has" : "have"} no element; without \`if (i < n)\` ${idle === 1 ? "it writes" : "they write"} past the end.` : "Every thread has an element.");
    const one = t ? ` Thread ${t.thread} of block ${t.block}: i = ${t.block} × ${state.block} + ${t.thread} = ${t.i}${t.useful ? "" : `, and there is no element ${t.i}`}; lane ${t.lane} of warp ${t.warp}.` : " Nothing is launched.";
    return { svg: shell.svg(left + Math.max(state.block * size, 150) + 8, 36 + Math.max(1, blocks) * 40, inside, "Blocks as rows of threads"),
             said: (launch + one).replace(/`/g, ""), count: threads.length, across: state.block, chosen,
             table: shell.table(["", ""], [["blocks", blocks], ["threads", threads.length], ["elements", state.n], ["threads without an element", idle],
                                           ["warps of a block", Math.ceil(state.block / 32)], ["lanes of its last warp in use", (state.block - 1) % 32 + 1]]) };
  }

  function view_2d(state) {
    const g = models.threads_2d({ width: state.width, height: state.height, block_x: state.block_x, block_y: state.block_y });
    const across = g.grid_x * state.block_x, down = g.grid_y * state.block_y, chosen = Math.min(state.chosen, g.threads.length - 1);
    const size = Math.min(30, Math.floor(690 / across)), left = 10, top = 26;
    let inside = text(left, 16, "columns (x) to the right, rows (y) downwards", { class: "soft" });
    g.threads.forEach((t, index) => {
      const x = left + t.x * size + t.block_x * 5, y = top + t.y * size + t.block_y * 5;
      inside += tag("g", { class: kind_of(t.useful, index === chosen) + ((t.block_x + t.block_y) % 2 ? " other" : ""), "data-pick": index },
        rect(x + .5, y + .5, size - 1.5, size - 1.5, { rx: 2 }) + (size >= 22 && t.useful ? text(x + size / 2, y + size / 2 + 4, t.at, { "text-anchor": "middle" }) : ""));
    });
    const useful = g.threads.filter(t => t.useful).length, idle = g.threads.length - useful, t = g.threads[chosen];
    const said = `Grid ${g.grid_x} × ${g.grid_y}, blocks ${state.block_x} × ${state.block_y}: ${plural(g.threads.length, "thread")} for ${state.width} × ${state.height} = ${plural(useful, "pixel")}` +
      (idle ? `; ${plural(idle, "thread")} ${idle === 1 ? "has" : "have"} no pixel. ` : ". ") +
      `Thread (${t.thread_x}, ${t.thread_y}) of block (${t.block_x}, ${t.block_y}): x = ${t.block_x} × ${state.block_x} + ${t.thread_x} = ${t.x}, ` +
      `y = ${t.block_y} × ${state.block_y} + ${t.thread_y} = ${t.y}${t.useful ? `, place y × width + x = ${t.at}` : ", outside of the picture"}; lane ${t.lane} of warp ${t.warp}.`;
    return { svg: shell.svg(left * 2 + across * size + g.grid_x * 5, top + 8 + down * size + g.grid_y * 5, inside, "Blocks of threads over a picture"), said,
             count: g.threads.length, across, chosen,
             table: shell.table(["", "x", "y"], [["blocks", g.grid_x, g.grid_y], ["threads of a block", state.block_x, state.block_y], ["picture", state.width, state.height],
                                                 ["threads beyond the edge", across - state.width, down - state.height]]) };
  }

  const view = state => (state.mode === "2d" ? view_2d(state) : view_1d(state));

  return {
    name: "wb-grid",
    title: "Grids, blocks and threads",
    help: "Choose a thread with the mouse, or with the arrow keys once the picture has the focus.",
    initial: data => ({ mode: data.mode || "1d", n: Number(data.n || 30), block: Number(data.block || 8), width: 10, height: 7, block_x: 4, block_y: 4,
                        chosen: Number(data.chosen || 19) }),
    controls: state => [{ name: "mode", label: "Grid", options: [["1d", "one dimension"], ["2d", "two dimensions"]] }].concat(state.mode === "2d" ? [
      { name: "width", label: "width", min: 1, max: 20 }, { name: "height", label: "height", min: 1, max: 12 },
      { name: "block_x", label: "blockDim.x", min: 1, max: 8 }, { name: "block_y", label: "blockDim.y", min: 1, max: 8 }] : [
      { name: "n", label: "elements n", min: 0, max: 64 }, { name: "block", label: "blockDim.x", min: 4, max: 32 }]),
    view,
    key(state, key) {
      const v = view(state);
      const to = { ArrowRight: v.chosen + 1, ArrowLeft: v.chosen - 1, ArrowDown: v.chosen + v.across, ArrowUp: v.chosen - v.across, Home: 0, End: v.count - 1 }[key];
      return to === undefined ? null : { ...state, chosen: Math.min(Math.max(to, 0), Math.max(0, v.count - 1)) };
    },
    pick: (state, index) => ({ ...state, chosen: index }),
  };
});
