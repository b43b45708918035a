// What a reader's eyes need, of every text of a page: contrast with what is really behind it (WCAG 2.2, 1.4.3), and links in a
// sentence that differ by more than their colour (1.4.1). axe looks at the same for ordinary text, at a hundredth of the speed,
// and not at all at text in a drawing. So this looks at everything, and names each kind of text for axe to judge once.
"use strict";

(() => {
  const numbers = new Map();
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});

  /** Any colour of CSS as [red, green, blue, opacity], 0 to 255 and 0 to 1. */
  function colour(text) {
    if (!numbers.has(text)) {
      const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
      if (found) {
        numbers.set(text, [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]]);
      } else {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        numbers.set(text, [r, g, b, a / 255]);
      }
    }
    return numbers.get(text);
  }

  const mix = (under, over, opacity) => [0, 1, 2].map(n => under[n] + (over[n] - under[n]) * opacity);
  const light = channel => channel <= 10.31475 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = c => 0.2126 * light(c[0]) + 0.7152 * light(c[1]) + 0.0722 * light(c[2]);
  function contrast(a, b) {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  }

  /** One look at the document as it is now: styles are kept for as long as it does not change. */
  class Look {
    constructor() {
      this.styles = new Map();
      this.backs = new Map();
      this.kinds = new Map();
      this.shapes = new Map();
    }

    style(element) {
      if (!this.styles.has(element)) this.styles.set(element, getComputedStyle(element));
      return this.styles.get(element);
    }

    /** What is behind an element's text, what shows of colours in it, and whether a group's opacity counts. */
    back(element) {
      if (!element) return {colour: [255, 255, 255], opacity: 1, picture: false, kind: 7};
      if (!this.backs.has(element)) {
        const s = this.style(element), parent = this.back(element.parentElement);
        const own = colour(s.backgroundColor), opacity = parent.opacity * +s.opacity;
        const picture = own[3] < 1 && (parent.picture || s.backgroundImage !== "none");
        const parts = [parent.kind, s.backgroundColor, s.backgroundImage, s.opacity, s.position === "static" ? "" : s.position + s.zIndex, s.filter,
                       s.mixBlendMode, s.visibility, s.display === "none"];
        this.backs.set(element, {colour: mix(parent.colour, own, own[3]), opacity, picture, kind: hash(parts.join("|"))});
      }
      return this.backs.get(element);
    }

    /** [behind, in front] as seen: the element's text, with the opacity of every group around it. */
    seen(element, front) {
      const back = this.back(element);
      if (back.opacity === 1) return [back.colour, mix(back.colour, front, front[3])];
      const chain = [];
      for (let e = element; e; e = e.parentElement) chain.unshift(e);
      const paint = (n, under) => {
        const s = this.style(chain[n]), own = colour(s.backgroundColor), inside = mix(under, own, own[3]);
        const pair = n + 1 < chain.length ? paint(n + 1, inside) : [inside, mix(inside, front, front[3])];
        return pair.map(c => mix(under, c, +s.opacity));
      };
      return paint(0, [255, 255, 255]);
    }

    /** The filled shapes of a drawing, in the order in which they are painted. */
    filled(svg) {
      if (!this.shapes.has(svg)) {
        const found = [];
        for (const shape of svg.querySelectorAll("rect, path, circle, ellipse, polygon, polyline")) {
          const s = this.style(shape);
          if (shape.closest("defs, clipPath, mask, marker, symbol, pattern") || s.fill === "none" || s.visibility !== "visible") continue;
          const c = s.fill.startsWith("url") ? this.ground(s.fill) : colour(s.fill);
          const box = shape.getBoundingClientRect();
          if (c[3] > 0 && box.width > 0) found.push({shape, box, colour: c, opacity: c[3] * +s.fillOpacity * this.groups(shape, svg)});
        }
        this.shapes.set(svg, found);
      }
      return this.shapes.get(svg);
    }

    /** A pattern is taken for its ground, a gradient for its first colour. */
    ground(fill) {
      const named = document.getElementById(/#([^")]+)/.exec(fill)[1]), first = named && named.firstElementChild;
      if (!first) return [0, 0, 0, 0];
      const s = getComputedStyle(first);
      return colour(first.localName === "stop" ? s.stopColor : s.fill === "none" ? "transparent" : s.fill);
    }

    groups(element, svg) {
      let opacity = 1;
      for (let e = element; e && e !== svg; e = e.parentElement) opacity *= +this.style(e).opacity;
      return opacity;
    }

    /** The worst of three places along a text in a drawing. */
    inDrawing(element, box) {
      const svg = element.ownerSVGElement, s = this.style(element);
      if (s.fill === "none" || s.fill.startsWith("url")) return null;
      const front = colour(s.fill);
      const below = this.filled(svg).filter(f => f.shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
      let worst = null;
      for (const along of [0.08, 0.5, 0.92]) {
        const x = box.left + box.width * along, y = box.top + box.height / 2;
        let behind = this.seen(svg, [0, 0, 0, 0])[0];
        for (const f of below) {
          if (f.box.left <= x && x <= f.box.right && f.box.top <= y && y <= f.box.bottom && covers(f.shape, x, y)) {
            behind = mix(behind, f.colour, f.opacity);
          }
        }
        const pair = [behind, mix(behind, front, front[3] * +s.fillOpacity * this.groups(element, svg))];
        if (!worst || contrast(...pair) < contrast(...worst)) worst = pair;
      }
      return worst;
    }
  }

  function covers(shape, x, y) {
    if (shape.localName === "rect") return true;
    const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
    return shape.isPointInFill(point);
  }

  function hash(text) {
    let a = 0xdeadbeef, b = 0x41c6ce57;
    for (let n = 0; n < text.length; ++n) {
      const c = text.charCodeAt(n);
      a = Math.imul(a ^ c, 2654435761);
      b = Math.imul(b ^ c, 1597334677);
    }
    return ((b ^ (b >>> 16)) >>> 0).toString(36) + ((a ^ (a >>> 16)) >>> 0).toString(36);
  }

  const said = element => `<${element.localName} ${element.className.baseVal ?? element.className}> ` +
    `"${(element.textContent || element.value || element.placeholder || "").trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  const shown = c => "#" + c.map(v => Math.round(v).toString(16).padStart(2, "0")).join("");
  const hasText = element => [...element.childNodes].some(n => n.nodeType === 3 && n.nodeValue.trim());

  /** A link that stands in a sentence: its block has other text as well, of its own. */
  function inSentence(link) {
    for (let block = link.parentElement; block; block = block.parentElement) {
      if (hasText(block)) return block;
      if (!["SPAN", "EM", "STRONG", "CODE", "B", "I"].includes(block.tagName)) return null;
    }
    return null;
  }

  function linkStandsOut(look, link) {
    const block = inSentence(link), inner = hasText(link) ? link : [...link.querySelectorAll("*")].find(hasText);
    if (!block || !inner || look.back(inner).opacity < 0.02 || !/[\p{L}\p{N}]/u.test(link.textContent)) return true;  // `#` beside a heading
    const s = look.style(link), around = look.style(block);
    if (s.textDecorationLine.includes("underline") || parseFloat(s.borderBottomWidth) > 0 || s.fontWeight !== around.fontWeight) return true;
    return contrast(look.seen(inner, colour(look.style(inner).color))[1], look.seen(block, colour(around.color))[1]) >= 3;
  }

  /** `{texts, faults, kinds}`: how many texts were looked at, a sentence for each fault, and the kinds for axe. */
  window.lookAtAll = () => {
    const look = new Look(), faults = new Map();
    const blame = (what, element) => faults.set(what, [...(faults.get(what) || []), said(element)]);
    let texts = 0;
    window.kindsOfText = new Map();
    for (const element of document.body.querySelectorAll("*")) {
      const field = element.matches("input:not([type=range], [type=checkbox], [type=radio], [type=hidden]), select, textarea");
      if (!field && !hasText(element)) continue;
      if (element.closest("script, style, noscript, template, title, desc") || element.matches(":disabled")) continue;
      if (!element.checkVisibility({visibilityProperty: true})) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || look.back(element).opacity < 0.02) continue;
      const s = look.style(element), drawn = element.ownerSVGElement;
      const pair = drawn ? look.inDrawing(element, box) : look.seen(element, colour(s.color));
      if (!pair) continue;
      ++texts;
      const scale = drawn ? Math.abs(element.getScreenCTM().d) : 1, size = parseFloat(s.fontSize) * scale;
      const needed = size >= 24 || (size >= 18.66 && +s.fontWeight >= 700) ? 3 : 4.5;
      const found = contrast(...pair);
      if (found < needed - 0.005) {
        blame(`contrast ${found.toFixed(2)}, ${needed} needed: ${shown(pair[1])} on ${shown(pair[0])}`, element);
      }
      if (field && element.placeholder && !element.value) {
        const faint = look.seen(element, colour(getComputedStyle(element, "::placeholder").color));
        if (contrast(...faint) < 4.495) blame(`contrast ${contrast(...faint).toFixed(2)} of a placeholder, 4.5 needed`, element);
      }
      if (drawn) continue;
      const link = element.closest("a");
      const kind = hash([look.back(element).kind, s.color, s.fontSize, s.fontWeight, s.textShadow, s.textDecorationLine,
                         link && look.back(link.parentElement).kind + look.style(link.parentElement).color].join("|"));
      if (!window.kindsOfText.has(kind)) window.kindsOfText.set(kind, [element, element]);
      window.kindsOfText.get(kind)[1] = element;
    }
    for (const link of document.body.querySelectorAll("a[href]")) {
      if (!link.ownerSVGElement && link.checkVisibility({visibilityProperty: true}) && !linkStandsOut(look, link)) {
        blame("a link in a sentence that only its colour shows", link);
      }
    }
    return {texts, faults: [...faults].map(([what, where]) => `${what}, ${where.length} times: ${where.slice(0, 3).join(", ")}`),
            kinds: [...window.kindsOfText.keys()]};
  };
})();
