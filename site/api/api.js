/* The theme that was chosen in the book, before anything is drawn. */
(() => {
  let scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "slate" : "default";
  try {
    const key = Object.keys(localStorage).find(k => k.endsWith("__palette"));
    const kept = key && JSON.parse(localStorage.getItem(key));
    if (kept && kept.color && kept.color.scheme) scheme = kept.color.scheme;
  } catch { /* a page on disk may be refused: the system's theme, then */ }
  document.documentElement.setAttribute("data-md-color-scheme", scheme);
})();
