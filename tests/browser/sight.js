// For tests/browser/sight.py: what is wrong with the essential elements of this page.
({ essentials, smallest, close }) => {
  const MARGIN = 1.5;
  for (const animation of document.getAnimations()) animation.finish();
  const wrong = [];
  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // Nothing moves while this runs, so what is known of an element is kept.
  const kept = (look) => {
    const known = new Map();
    return (e) => {
      if (!known.has(e)) known.set(e, look(e));
      return known.get(e);
    };
  };
  const isSilent = kept(
    (e) => e !== null && (getComputedStyle(e).clipPath.startsWith("inset(50%") || isSilent(e.parentElement)),
  );
  const label = (name, text) => `${name} "${text.trim().replace(/\s+/g, " ").slice(0, 30)}"`;

  // The words and pictures of an element: {text, of: their element, boxes}.
  function parts(element) {
    const found = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = element; node; node = walker.nextNode()) {
      const of = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      if (node.nodeType === Node.TEXT_NODE) {
        if (!node.data.trim() || !shown(of) || isSilent(of)) continue;
        for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const boxes = [...range.getClientRects()].filter((r) => r.width && r.height).map(box);
          if (boxes.length) found.push({ text: word, of, boxes });
        }
      } else if (node.matches("svg, img, input[type=text]") && shown(node) && !isSilent(node)) {
        found.push({ text: "", of, boxes: [box(node.getBoundingClientRect())] });
      }
    }
    // An element that has neither, such as an empty place.
    if (!found.length && element.offsetWidth)
      found.push({ text: "", of: element, boxes: [box(element.getBoundingClientRect())] });
    return found;
  }

  const inside = (a, b) =>
    a.left >= b.left - MARGIN &&
    a.right <= b.right + MARGIN &&
    a.top >= b.top - MARGIN &&
    a.bottom <= b.bottom + MARGIN;
  // The height of letters is about three fifths of that of their line.
  const letters = ({ text }, b) =>
    text ? { ...b, top: b.top + (b.bottom - b.top) / 5, bottom: b.bottom - (b.bottom - b.top) / 5 } : b;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  // The box that cuts off what is inside of this element; null if it cuts nothing.
  const clip = kept((e) => {
    const { overflowX, overflowY } = getComputedStyle(e);
    if (overflowX === "visible" && overflowY === "visible") return null;
    const { left, right, top, bottom } = e.getBoundingClientRect();
    const [x, y] = [overflowX === "visible" ? 1e6 : 0, overflowY === "visible" ? 1e6 : 0];
    return { left: left - x, right: right + x, top: top - y, bottom: bottom + y };
  });

  function clipped({ of }, b) {
    for (let e = of; e && e !== document.body && e !== document.documentElement; e = e.parentElement) {
      if (clip(e) && !inside(b, clip(e))) return true;
    }
    return false;
  }

  const paints = kept((e) => {
    const s = getComputedStyle(e);
    return e.matches("svg, img") || s.backgroundImage !== "none" || !/^rgba\(.*, 0\)$/.test(s.backgroundColor);
  });

  // Whether anything that is painted lies over it: transparent boxes do not.
  function covered(element, b) {
    const y = (b.top + b.bottom) / 2;
    const own = (hit) => hit.contains(element) || element.contains(hit);
    return [b.left + 1, (b.left + b.right) / 2, b.right - 1].some((x) => {
      const first = document.elementFromPoint(x, y);
      if (first === null || own(first)) return false; // mostly so, and faster to find out
      const top = document.elementsFromPoint(x, y).find((hit) => own(hit) || paints(hit));
      return top !== undefined && !own(top);
    });
  }

  const all = [];
  for (const [name, selector] of Object.entries(essentials)) {
    const elements = [...document.querySelectorAll(selector)].filter((e) => shown(e) && !isSilent(e));
    if (!elements.length) wrong.push(`${name}: nothing is shown`);
    for (const element of elements) {
      const faults = new Set();
      const seen = parts(element);
      for (const part of seen) {
        const fault = (what) => faults.add(part.text ? `${what}: ${part.text}` : what);
        const least = close.includes(name) ? Math.min(smallest, 11) : smallest;
        // A drawing may be enlarged. One that is smaller is a picture, whose letters are not read one by one.
        const drawn = part.of.ownerSVGElement ? Math.max(1, part.of.getScreenCTM().a) : 1;
        const size = parseFloat(getComputedStyle(part.of).fontSize) * drawn;
        if (part.text && size < least - 0.05) faults.add(`letters of ${size.toFixed(1)} px`);
        if (
          part.boxes.some((b) => b.top > part.boxes[0].bottom - MARGIN) &&
          getComputedStyle(part.of).hyphens !== "auto" &&
          !/[-\u2013\u00ad/]/.test(part.text)
        )
          fault("breaks inside a word");
        const letter = part.boxes.map((b) => letters(part, b));
        if (letter.some((b) => !inside(b, screen))) {
          faults.add("outside of the screen");
          continue;
        }
        if (letter.some((b) => clipped(part, b))) {
          fault("clipped");
          continue;
        }
        if (letter.some((b) => covered(element, b))) fault("covered");
      }
      for (const e of [element, ...element.querySelectorAll("*")]) {
        if (getComputedStyle(e).textOverflow === "ellipsis" && shown(e) && e.scrollWidth > e.clientWidth + 1)
          faults.add("cut by an ellipsis");
      }
      for (const fault of faults) wrong.push(`${label(name, element.textContent)}: ${fault}`);
      all.push({ name, element, boxes: seen.flatMap((part) => part.boxes.map((b) => letters(part, b))) });
    }
  }
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > MARGIN &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > MARGIN;
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (a.boxes.some((one) => b.boxes.some((other) => meet(one, other)))) {
        wrong.push(`${label(a.name, a.element.textContent)} lies over ${label(b.name, b.element.textContent)}`);
      }
    }
  }
  return wrong;
};
