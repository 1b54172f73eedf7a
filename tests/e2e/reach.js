// What a reader of a table cannot press, cannot read, or sees lying over something else.

window.outOfReach = () => {
  const panel = document.getElementById("table-panel");
  const ending = panel.querySelector(".over-felt:not(details:not([open]))");
  const root = ending ?? document.getElementById("felt");
  const visible = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const named = (each) => (each.innerText || each.value || each.className || each.tagName).trim().replace(/\s+/g, " ").slice(0, 40);
  const found = [];

  // What may be scrolled sideways to is within reach when its row is.
  const shownBox = (each) => {
    const row = each.closest("[data-scrolls]");
    return (row && row.scrollWidth > row.clientWidth + 1 ? row : each).getBoundingClientRect();
  };
  const pressed = "button:enabled:not(.visually-hidden), a.button, label.pick";
  for (const each of root.querySelectorAll(pressed)) {
    if (!visible(each)) continue;
    const box = shownBox(each);
    if (box.bottom > innerHeight + 1 || box.top < -1 || box.right > innerWidth + 1 || box.left < -1) {
      found.push(`off screen at ${Math.round(box.left)},${Math.round(box.top)}-${Math.round(box.bottom)}: ${named(each)}`);
    }
  }

  // A bar that stays at the edge may hide no card that it is about.
  const bars = [...root.querySelectorAll(".slot-moves, .sh-go")].filter((each) => getComputedStyle(each).position === "sticky");
  for (const each of root.querySelectorAll(pressed)) {
    const bar = bars.find((one) => !one.contains(each) && visible(each));
    if (!bar) continue;
    const box = shownBox(each);
    if (box.bottom - bar.getBoundingClientRect().top > box.height / 2) found.push(`under the bar: ${named(each)}`);
  }

  // The lines of an element's own words, not of those in it that only a reader of the screen says.
  const lines = (each) => [...each.childNodes].flatMap((node) => {
    if (node.nodeType !== Node.TEXT_NODE) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  });
  const isText = (each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const texts = [...root.querySelectorAll("*")].filter((each) =>
    isText(each) && visible(each) && !each.closest(".visually-hidden, .playing-card:not(.is-empty), .face, .chip, .sh-long, svg, template, noscript"));
  for (const each of texts) {
    const own = getComputedStyle(each);
    const cut = own.overflowX !== "visible" ? each.scrollWidth - each.clientWidth : 0;
    const sides = lines(each);
    const words = {
      left: Math.min(...sides.map(({ left }) => left)), right: Math.max(...sides.map(({ right }) => right)),
      bottom: Math.max(...sides.map(({ bottom }) => bottom)),
    };
    // Less than a pixel too long is enough for three dots.
    const room = each.getBoundingClientRect().width - parseFloat(own.paddingLeft) - parseFloat(own.paddingRight);
    const dotted = own.textOverflow === "ellipsis" && own.display !== "inline" && words.right - words.left > room + .02;
    if (cut > 1 || dotted) found.push(`cut by ${cut}: ${named(each)}`);
    for (let box = each.parentElement; box && box !== root.parentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.overflowX === "visible" || box.matches("[data-scrolls]")) continue;
      const { left, right } = box.getBoundingClientRect();
      if (words.right > right + 2 || words.left < left - 2) found.push(`cut at the edge of ${box.className}: ${named(each)}`);
    }
    if (each.closest(".slot-hand") && !each.closest(".coach") && words.bottom > innerHeight + 1) found.push(`below the screen: ${named(each)}`);
    if (words.right > innerWidth + 1) found.push(`cut by the screen: ${named(each)}`);
  }

  // A word is broken where a line ends within it.
  for (const each of texts) {
    for (const node of each.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue;
      for (const { index, 0: word } of node.data.matchAll(/[\p{L}\d]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        if (tops.size > 1) found.push(`broken: ${word}`);
      }
    }
  }

  // Words beside words, and words on cards or on the frame of the pile that are not theirs.
  const said = texts.map((each) => ({ each, sides: lines(each) }));
  const things = [...root.querySelectorAll(".playing-card, .pile-cards, .face, button")].filter((each) => visible(each) && !each.closest(".was"));
  // What a box with an edge cuts away of a card is not seen.
  const seen = (each) => {
    let { left, top, right, bottom } = each.getBoundingClientRect();
    for (let box = each.parentElement; box && box !== root.parentElement; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === "visible") continue;
      const edge = box.getBoundingClientRect();
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  };
  const over = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const stuck = (each) => [...(function* () { for (let at = each; at && at !== root; at = at.parentElement) yield at; })()]
    .some((at) => getComputedStyle(at).position === "sticky");
  const pairs = new Set();
  for (const { each, sides } of said) {
    for (const thing of things) {
      if (thing.closest(".pile-cards") && each.closest(".pile-cards")) continue;
      if (thing.contains(each) || each.contains(thing) || stuck(each) !== stuck(thing)) continue;
      if (thing.closest("[data-scrolls]") || each.closest(".coach, .bubble, [data-phrase]")) continue;
      const box = seen(thing);
      if (sides.some((side) => over(side, box) > 3)) pairs.add(`over ${thing.className || thing.tagName}: ${named(each)}`);
    }
    for (const other of said) {
      if (other.each === each || other.each.contains(each) || each.contains(other.each) || stuck(each) !== stuck(other.each)) continue;
      if (each.closest(".coach, [data-phrase]") || other.each.closest(".coach, [data-phrase]")) continue;
      if (sides.some((side) => other.sides.some((one) => over(side, one) > 4))) {
        pairs.add(`over each other: ${[named(each), named(other.each)].sort().join(" / ")}`);
      }
    }
  }
  return [...found, ...pairs];
};
