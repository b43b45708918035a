/* The theme that was chosen in the book, before anything is drawn; and what scrolls can be reached by keyboard. */
(() => {
  let scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "slate" : "default";
  try {
    const key = Object.keys(localStorage).find(k => k.endsWith("__palette"));
    const kept = key && JSON.parse(localStorage.getItem(key));
    if (kept && kept.color && kept.color.scheme) scheme = kept.color.scheme;
  } catch { /* a page on disk may be refused: the system's theme, then */ }
  document.documentElement.setAttribute("data-md-color-scheme", scheme);

  document.addEventListener("DOMContentLoaded", () => {
    const reachable = new ResizeObserver(entries => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      }
    });
    document.querySelectorAll(".fragment, .memproto").forEach(e => reachable.observe(e));
  });
})();
