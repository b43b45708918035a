/* Search runs in a worker. From a page on disk browsers refuse to start one, so there a hidden frame does its work:
   it loads the same script, and messages go to and fro as with a worker. Over http this file does nothing. */
(() => {
  if (location.protocol !== "file:") return;

  class WorkerInFrame extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      frame.srcdoc = "<!doctype html><html lang=en><title>search</title>";
      frame.addEventListener("load", () => this.furnish(frame.contentWindow, String(address)), { once: true });
      document.body.append(frame);
    }
    furnish(inside, address) {
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      const load = url => new Promise((done, failed) => {
        const script = inside.document.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        inside.document.body.append(script);
      });
      inside.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => load(url)), Promise.resolve());
      load(address).then(() => {
        this.inside = inside;
        for (const data of this.waiting.splice(0)) this.postMessage(data);
      });
    }
    postMessage(data) {
      if (this.inside) this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
      else this.waiting.push(data);
    }
    terminate() {}
  }
  window.IFrameWorker = window.Worker = WorkerInFrame;
})();
