/* What a process pays for its first uses, and at which call: a waterfall. */
(function (root, make) {
  if (typeof module !== "undefined" && module.exports) module.exports = make(require("./shell.js"), require("./models.js"));
  else root.workbook_shell.define(make(root.workbook_shell, root.workbook_models));
})(typeof self !== "undefined" ? self : this, (shell, models) => {
  "use strict";
  const { rect, text, tag } = shell;
  const CALLS = { set_device: "cudaSetDevice", malloc: "cudaMalloc", first: "first launch", again: "the same again", other: "another kernel" };
  const KINDS = {
    driver: ["the driver starts", "It happens at the first CUDA call of anyone in the process."],
    context: ["a context is made", "The process gets its own address space on the device, its streams, its modules."],
    compile: ["PTX is compiled", "There is no machine code for this GPU, so the driver makes it: of 126 kB of text here."],
    store: ["... and stored", "What the compiler made goes to the cache on the disk, for the next process."],
    fetch: ["compiled code from the cache", "A process before this one had it compiled; the cache on the disk kept it."],
    module: ["the module is loaded", "The device code of one source file comes to the device."],
    allocation: ["first memory", "A first piece of the device's memory is mapped."],
    kernel: ["the kernel is loaded", "Each kernel comes before its own first launch, or when it is asked about."],
    launch_first: ["first launch of all", "Whatever is loaded, the first launch of a process prepares some things."],
    launch: ["the launch itself", "This is all that is left of it later."],
  };
  const time = ns => (ns >= 1e6 ? `${+(ns / 1e6).toPrecision(3)} ms` : `${+(ns / 1e3).toPrecision(3)} us`);

  function view(state) {
    const pieces = models.first_uses(state), all = pieces.reduce((sum, p) => sum + p.ns, 0), at = Math.min(state.at, pieces.length - 1);
    const left = 300, wide = 330, high = 25;
    const log = ns => Math.max(0.004, Math.log10(ns / 1000) / 6);
    let inside = "", begin = 0, before = "";
    // Lines for 1 us, 10 us, ... 1 s; the words stand at every third.
    if (state.scale !== "true")
      for (let step = 0; step <= 6; ++step)
        inside += rect((left + step / 6 * wide).toFixed(1), 20, 1, pieces.length * high, { class: "step" }) +
          (step % 3 ? "" : text((left + step / 6 * wide).toFixed(1), 15, ["1 us", "1 ms", "1 s"][step / 3], { class: "soft", "text-anchor": "middle" }));
    pieces.forEach((p, index) => {
      const y = 24 + index * high, x = left + (state.scale === "true" ? begin / all * wide : 0);
      const length = Math.max(1.5, (state.scale === "true" ? p.ns / all : log(p.ns)) * wide);
      if (p.call !== before) inside += text(6, y + 14, CALLS[p.call], { class: "name" });
      before = p.call;
      inside += tag("g", { class: `use ${["launch"].includes(p.kind) ? "work" : "once"}${index === at ? " chosen" : ""}`, "data-pick": index },
        rect(112, y - 1, left + wide + 60 - 112, high - 3, { class: "back", rx: 3 }) + text(118, y + 14, KINDS[p.kind][0]) + rect(x, y + 2, length.toFixed(1), high - 9, { class: "length", rx: 2 }));
      const right = x + length + 6;
      inside += right < left + wide ? text(right.toFixed(1), y + 14, time(p.ns), { class: "soft" }) : text((x - 6).toFixed(1), y + 14, time(p.ns), { class: "soft", "text-anchor": "end" });
      begin += p.ns;
    });
    if (state.scale === "true") inside += text(left, 15, "one after the other, true to time", { class: "soft" });
    const p = pieces[at], launch = pieces.filter(q => q.call === "first").reduce((sum, q) => sum + q.ns, 0);
    const run = (state.measured || {})[state.code === "machine" ? `machine ${state.loading}` : `text ${state.loading} ${state.cache}`];
    const said = `${CALLS[p.call]}: ${KINDS[p.kind][0].replace(/^\.\.\. /, "")}, ${time(p.ns)}. ${KINDS[p.kind][1]} Until the first launch has been made the process has waited ${time(pieces.filter(q => q.call !== "again" && q.call !== "other").reduce((sum, q) => sum + q.ns, 0))}; ` +
      `the launch call's share is ${time(launch)}.` + (run ? ` On an H200 (2026-11-30) the first launch took ${time(run * 1000)}, with its kernel and the wait for it.` : "");
    return { svg: shell.svg(left + wide + 66, 30 + pieces.length * high, inside, "What a process pays once, call by call"), said,
             table: shell.table(["call", "what", "modelled, h200@1"], pieces.map(q => [CALLS[q.call], KINDS[q.kind][0], time(q.ns)])) };
  }

  return {
    name: "wb-warmup",
    title: "First uses",
    help: "Up and Down choose a row once the picture has the focus; a click does too.",
    initial: data => ({ loading: data.loading || "lazy", code: data.code || "machine", cache: data.cache || "cold", scale: data.scale || "log", at: Number(data.at || 0),
                        measured: data.measured ? JSON.parse(data.measured) : null }),
    controls: state => [
      { name: "loading", label: "CUDA_MODULE_LOADING", options: [["lazy", "LAZY (unset)"], ["eager", "EAGER"]] },
      { name: "code", label: "The program has", options: [["machine", "machine code for this GPU"], ["text", "PTX only"]] },
    ].concat(state.code === "text" ? [{ name: "cache", label: "The JIT cache is", options: [["cold", "cold"], ["warm", "warm"], ["off", "switched off"]] }] : [])
      .concat([{ name: "scale", label: "Scale", options: [["log", "every piece visible"], ["true", "true to time"]] }]),
    view,
    key(state, key) {
      const last = models.first_uses(state).length - 1, now = Math.min(state.at, last);
      const to = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 0, End: last }[key];
      return to === undefined ? null : { ...state, at: Math.min(Math.max(to, 0), last) };
    },
    pick: (state, index) => ({ ...state, at: index }),
  };
});
