/* The figures' models against what the workbook's C++ printed, and the figures by themselves. node --test site/tests */
"use strict";
const test = require("node:test"), assert = require("node:assert"), fs = require("fs"), path = require("path");
const child = require("node:child_process");
const folder = path.join(__dirname, "..", "figures");
const models = require(path.join(folder, "models.js"));
const golden = fs.readFileSync(path.join(__dirname, "golden", "figures.jsonl"), "utf8").trim().split("\n").map(line => JSON.parse(line));
const rows = kind => golden.filter(g => g.kind === kind).map(g => g.row);

test("accesses: addresses, sectors and passes are the simulated device's", () => {
  assert.ok(rows("accesses").length > 300);
  for (const row of rows("accesses")) {
    const where = models.addresses(row), what = `${row.pattern} ${row.k}, ${row.bytes} bytes`;
    assert.deepStrictEqual(where, row.addresses, what);
    assert.strictEqual(models.global_access(where, row.bytes).sectors.length, row.sectors, what);
    if (row.wavefronts !== undefined) assert.strictEqual(models.shared_access(where, row.bytes).wavefronts, row.wavefronts, what);
  }
});

test("grids: each element has the thread that the grid gives it", () => {
  for (const row of rows("grids")) {
    const blocks = models.blocks_for(row.n, row.block);
    assert.strictEqual(blocks, row.blocks);
    const useful = models.threads_1d({ n: row.n, block: row.block, blocks }).filter(t => t.useful);
    assert.deepStrictEqual(useful.map(t => [t.block, t.thread]), row.owners);
    assert.deepStrictEqual(useful.map(t => t.i), row.owners.map((_, i) => i));
  }
});

test("grids in two dimensions: every pixel once", () => {
  for (const [width, height, block_x, block_y] of [[10, 7, 4, 4], [1, 1, 8, 8], [20, 12, 3, 5], [8, 8, 8, 8]]) {
    const g = models.threads_2d({ width, height, block_x, block_y });
    const places = g.threads.filter(t => t.useful).map(t => t.at);
    assert.deepStrictEqual([...places].sort((a, b) => a - b), Array.from({ length: width * height }, (_, i) => i));
    assert.strictEqual(g.threads.length, g.grid_x * g.grid_y * block_x * block_y);
  }
});

test("layouts: memory holds the numbers in the order of the layout", () => {
  for (const row of rows("layouts")) {
    const [n, c, h, w] = row.shape;
    for (const layout of ["nchw", "nhwc"])
      assert.deepStrictEqual(models.places({ n, c, h, w }, layout).map(p => [p.n, p.c, p.h, p.w]), row[layout]);
  }
});

test("first uses: the pieces, their calls and their times are the model's", () => {
  assert.strictEqual(rows("first_uses").length, 12);
  for (const row of rows("first_uses"))
    assert.deepStrictEqual(models.first_uses(row).map(p => [p.call, p.kind, p.ns]), row.pieces, `${row.loading}, ${row.code}, ${row.cache}`);
});

test("every figure draws, whatever its controls say, and its keys keep it whole", () => {
  for (const name of ["grid", "memory", "layout", "warmup"]) {
    const figure = require(path.join(folder, `${name}.js`));
    let states = [figure.initial({})];
    for (const control of figure.controls(states[0])) {
      const values = control.options ? control.options.map(o => o[0]) : [control.min, control.max];
      states = states.concat(states.flatMap(s => values.map(v => (figure.change || ((s, k, v) => ({ ...s, [k]: v })))(s, control.name, v))));
    }
    for (const state of states) {
      let now = state;
      for (const key of ["ArrowRight", "ArrowDown", "End", "ArrowRight", "ArrowDown", "ArrowUp", "Home", "ArrowLeft"]) now = figure.key(now, key) || now;
      const view = figure.view(now);
      assert.ok(view.svg.startsWith("<svg ") && view.svg.endsWith("</svg>"));
      assert.ok(view.said.length > 20 && !/undefined|NaN|null/.test(view.said + view.svg + view.table), `${name}: ${JSON.stringify(now)}: ${view.said}`);
      assert.ok(view.svg.length < 90000, `${name}: a picture of ${view.svg.length} bytes`);
    }
    assert.strictEqual(figure.key(states[0], "q"), null);
  }
});

test("what stands in the pages before a script runs is what the figures draw", () => {
  const run = child.spawnSync(process.execPath, [path.join(folder, "fallback.js"), "--check"], { encoding: "utf8" });
  assert.strictEqual(run.status, 0, run.stdout);
});
