/* What the figures count, as plain functions: no page, no drawing. `node --test` compares them with numbers that the
   workbook's own C++ printed (site/tests/golden, from tests/site/figures_golden.cpp), so a figure can't say one thing and the
   simulated device another. */
(function (root, make) {
  if (typeof module !== "undefined" && module.exports) module.exports = make();
  else root.workbook_models = make();
})(typeof self !== "undefined" ? self : this, () => {
  "use strict";
  const LANES = 32, SECTOR = 32, LINE = 128, BANKS = 32, WORD = 4;

  // ---- grids: who has which element ----

  /** Blocks that are needed for n elements when each thread takes one. */
  const blocks_for = (n, block) => (n === 0 ? 0 : Math.floor((n - 1) / block) + 1);

  /** All threads of a grid, in the order of their blocks: {block, thread, i, warp, lane, useful}. */
  function threads_1d({ n, block, blocks }) {
    const out = [];
    for (let b = 0; b < blocks; ++b)
      for (let t = 0; t < block; ++t) {
        const i = b * block + t;
        out.push({ block: b, thread: t, i, warp: Math.floor(t / LANES), lane: t % LANES, useful: i < n });
      }
    return out;
  }

  /** The same in two dimensions, row of the picture by row: x, y and the place y * width + x. */
  function threads_2d({ width, height, block_x, block_y }) {
    const grid_x = blocks_for(width, block_x), grid_y = blocks_for(height, block_y), out = [];
    for (let y = 0; y < grid_y * block_y; ++y)
      for (let x = 0; x < grid_x * block_x; ++x) {
        const tx = x % block_x, ty = y % block_y, linear = ty * block_x + tx;
        out.push({ block_x: Math.floor(x / block_x), block_y: Math.floor(y / block_y), thread_x: tx, thread_y: ty, x, y,
                   warp: Math.floor(linear / LANES), lane: linear % LANES, useful: x < width && y < height, at: y * width + x });
      }
    return { grid_x, grid_y, threads: out };
  }

  // ---- one access of a warp ----

  /** The element that each lane wants. */
  const PATTERNS = {
    linear: lane => lane,
    shifted: (lane, k) => lane + k,
    stride: (lane, k) => lane * k,
    reversed: lane => LANES - 1 - lane,
    same: () => 0,
    // A fixed shuffle: the same for everybody, every time.
    scattered: lane => (lane * 37 + 11) * 53 % 256,
  };

  /** Byte addresses of the lanes; the array begins at `base`. */
  function addresses({ pattern, k = 1, bytes, base = 0 }) {
    return Array.from({ length: LANES }, (_, lane) => base + PATTERNS[pattern](lane, k) * bytes);
  }

  const distinct = numbers => [...new Set(numbers)].sort((a, b) => a - b);

  /** Sectors of 32 bytes and lines of 128 that an access touches, and how much of what moves is wanted. */
  function global_access(where, bytes) {
    const sectors = distinct(where.map(a => Math.floor(a / SECTOR))), lines = distinct(where.map(a => Math.floor(a / LINE)));
    const wanted = distinct(where).length * bytes, moved = sectors.length * SECTOR;
    return { sectors, lines, wanted, moved, share: wanted / moved };
  }

  /** Passes over the banks of shared memory. Wide accesses go in groups of lanes, as many as make 128 bytes. */
  function shared_access(where, bytes) {
    const words_each = Math.max(1, bytes / WORD), group = Math.floor(LANES / words_each), passes = [];
    for (let first = 0; first < LANES; first += group) {
      const banks = Array.from({ length: BANKS }, () => []);
      for (let lane = first; lane < first + group; ++lane)
        for (let k = 0; k < words_each; ++k) {
          const word = Math.floor(where[lane] / WORD) + k, held = banks[word % BANKS];
          const there = held.find(h => h.word === word);
          if (there) there.lanes.push(lane);
          else held.push({ word, lanes: [lane] });
        }
      passes.push({ first, banks, count: Math.max(...banks.map(b => b.length)) });
    }
    return { groups: passes, wavefronts: passes.reduce((sum, p) => sum + p.count, 0) };
  }

  // ---- layouts ----

  /** How far, in numbers, to the next image, channel, row and pixel. */
  function strides({ c, h, w }, layout) {
    return layout === "nchw" ? { n: c * h * w, c: h * w, h: w, w: 1 } : { n: c * h * w, c: 1, h: w * c, w: c };
  }
  const offset = (s, at) => at.n * s.n + at.c * s.c + at.h * s.h + at.w * s.w;

  /** Who lies at each place of memory, in order. */
  function places(shape, layout) {
    const s = strides(shape, layout), out = [];
    for (let n = 0; n < shape.n; ++n)
      for (let c = 0; c < shape.c; ++c)
        for (let h = 0; h < shape.h; ++h)
          for (let w = 0; w < shape.w; ++w) out[offset(s, { n, c, h, w })] = { n, c, h, w };
    return out;
  }

  // ---- first uses: what a process pays once, and when ----

  /** Nanoseconds of h200@1 (src/model/profile.cpp); compiled: 126 kB of PTX. */
  const FIRST = { driver: 105000000, context: 115000000, allocation: 100000, module: 250000, kernel: 11000, launch_first: 25000,
                  launch: 3600, compile: 300000000, fetch: 1000000, store: 1000000 };

  /** The pieces, in order, of a process that makes a context, allocates, launches a kernel twice and another of its module once. */
  function first_uses({ loading, code, cache }) {
    const code_comes = code === "machine" ? [] : cache === "warm" ? ["fetch"] : cache === "cold" ? ["compile", "store"] : ["compile"];
    const load = [...code_comes, "module"], lazy = loading === "lazy", out = [];
    const add = (call, kinds) => kinds.forEach(kind => out.push({ call, kind, ns: FIRST[kind] }));
    add("set_device", ["driver", "context", ...(lazy ? [] : load)]);
    add("malloc", ["allocation"]);
    add("first", [...(lazy ? [...load, "kernel"] : []), "launch_first", "launch"]);
    add("again", ["launch"]);
    add("other", [...(lazy ? ["kernel"] : []), "launch"]);
    return out;
  }

  return { first_uses, LANES, SECTOR, LINE, BANKS, WORD, PATTERNS, blocks_for, threads_1d, threads_2d, addresses, global_access, shared_access,
           strides, offset, places };
});
