/* Small things that a page does by itself; each page is complete without them. */
(() => {
  "use strict";
  const korean = document.documentElement.lang.startsWith("ko");

  // Names for what the theme leaves without one.
  const name_controls = () => {
    const search = document.querySelector(".md-search[role=dialog]");
    if (search) search.setAttribute("aria-label", korean ? "검색" : "Search");
    document.querySelectorAll(".md-code__nav:not([aria-label])").forEach((e, i) => e.setAttribute("aria-label", `${korean ? "코드 도구" : "Code tools"} ${i + 1}`));
  };
  name_controls();
  new MutationObserver(name_controls).observe(document.body, { childList: true, subtree: true });

  // What scrolls can be reached by keyboard; what doesn't is no stop on the way.
  const reachable = new ResizeObserver(entries => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  document.querySelectorAll(".scroll:not(.stage)").forEach(e => reachable.observe(e));

  const remembered = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },  // a page on disk may be refused
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* then it is not remembered */ } },
  };

  // The list at the end of a lesson can be ticked.
  const last = [...document.querySelectorAll(".md-content h2")].find(h => /^(What you know now|이제 아는 것)/.test(h.textContent));
  const list = last && last.nextElementSibling;
  if (list && list.tagName === "UL") {
    list.classList.add("known");
    const page = location.pathname.split("/").slice(-2, -1)[0];
    [...list.children].forEach((item, i) => {
      const label = document.createElement("label"), box = document.createElement("input"), text = document.createElement("span");
      const key = `workbook:${page}:${i}`;
      box.type = "checkbox";
      box.id = `known-${i}`;
      label.htmlFor = box.id;
      text.append(...item.childNodes);
      label.append(text);
      item.append(box, label);
      box.checked = remembered.get(key) === "1";
      box.addEventListener("change", () => remembered.set(key, box.checked ? "1" : "0"));
    });
  }

  // The index of messages: type what the screen says.
  const field = document.getElementById("message-filter");
  if (field) {
    const items = [...document.querySelectorAll("ul.messages > li")], said = document.getElementById("message-count");
    field.closest(".filter").hidden = false;
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of items) {
        const text = item.textContent.toLowerCase() + " " + item.dataset.code;
        item.hidden = !words.every(w => text.includes(w));
        shown += item.hidden ? 0 : 1;
      }
      said.textContent = words.length ? `${shown} of ${items.length} messages` : "";
    });
  }
})();
