// Scores count up, once the cards have been swept to the seat that got them. The number itself is in the
// page at once; only what is seen runs behind it.

import { scale } from "./pace.js";

const LASTS = 600; // milliseconds at the calm pace

let before = new Map();

const chips = () => [...document.querySelectorAll("#table-panel [data-counts]")];
const number = (chip) => Number(chip.dataset.value ?? chip.textContent);

function remember() {
  before = new Map(chips().map((chip) => [chip.dataset.counts, number(chip)]));
}

function count(chip, from) {
  const to = Number(chip.textContent);
  const [begun, whole] = [performance.now(), LASTS * scale()];
  chip.dataset.value = to;
  chip.classList.add("is-counting");
  const step = (now) => {
    const share = Math.min(1, (now - begun) / whole);
    chip.textContent = Math.round(from + (to - from) * share);
    if (share < 1 && chip.isConnected) requestAnimationFrame(step);
    else chip.classList.remove("is-counting");
  };
  step(begun);
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => detail.target.id === "table-panel" && remember());
document.addEventListener("table:still", () => {
  if (!scale() || document.hidden) return;
  for (const chip of chips()) {
    const from = before.get(chip.dataset.counts);
    if (Number.isFinite(from) && from < number(chip)) count(chip, from);
  }
  before = new Map();
});
