/* Makes figures/fallback/*.html: what a figure shows before its script runs. `node site/figures/fallback.js` writes them,
   with --check it says which of them are not what the figures draw now. */
"use strict";
const fs = require("fs"), path = require("path");
const shell = require("./shell.js");

/** File, figure, and the data of its element. */
const WANTED = [
  ["grid", "grid", {}], ["grid-2d", "grid", { mode: "2d", chosen: "45" }],
  ["memory", "memory", {}], ["memory-shared", "memory", { space: "shared", pattern: "stride", k: "32" }],
  ["layout", "layout", {}], ["warmup", "warmup", {}],
];

let stale = 0;
for (const [file, name, data] of WANTED) {
  const figure = require(`./${name}.js`), target = path.join(__dirname, "fallback", `${file}.html`);
  const text = shell.fallback(figure, figure.initial(data)) + "\n";
  if (process.argv.includes("--check")) {
    if (!fs.existsSync(target) || fs.readFileSync(target, "utf8") !== text) {
      console.log(`${target} is not what the figure draws: node site/figures/fallback.js`);
      ++stale;
    }
  } else {
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }
}
process.exit(stale ? 1 : 0);
