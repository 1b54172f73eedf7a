// How a round or the match ended is counted up where it is seen first: cause by cause, with the bars
// that race to the end. What stands in the page is the end of it, at once; nothing waits for this.

import { scale } from "./pace.js";
import { sound } from "./sound.js";

const STEP = 420; // for a cause, at the calm pace
const LEAST = 3;

const shown = () => document.querySelector("#match-ending, #round-ending[open]");
const nameOf = (ending) => ending?.dataset.ending ?? ending?.dataset.round;

let counted = nameOf(shown()); // a page that is loaded with its ending has nothing to count

function appear(part, delay) {
  const steps = [{ opacity: 0, transform: "translateY(6px)" }, { opacity: 1, transform: "none" }];
  part.animate(steps, { duration: STEP * 0.6 * scale(), delay, fill: "backwards" });
  setTimeout(() => part.isConnected && sound("count"), delay);
}

// Runs from what was to what is, frame by frame.
function run(from, to, whole, show) {
  if (!Number.isFinite(to - from)) return;
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, Math.max(0, (now - begun) / whole));
    show(from + (to - from) * share);
    if (share < 1) requestAnimationFrame(step);
  };
  step(begun);
}

function tally(side) {
  const parts = [...side.querySelectorAll("[data-part]")];
  const step = Math.min(STEP, 2600 / Math.max(1, parts.length)) * scale();
  const whole = Math.max(parts.length, LEAST) * step;
  parts.forEach((part, n) => appear(part, n * step));
  for (const sum of side.querySelectorAll("[data-sum]")) {
    run(Number(sum.dataset.sum), Number(sum.textContent), whole, (now) => (sum.textContent = Math.round(now)));
  }
  for (const bar of side.querySelectorAll("progress[data-from]")) {
    run(Number(bar.dataset.from), bar.value, whole, (now) => (bar.value = now));
  }
}

function begin() {
  const ending = shown();
  const name = nameOf(ending);
  if (!ending || name === counted) return;
  counted = name;
  if (ending.dataset.tune) sound(ending.dataset.tune);
  if (!scale() || document.hidden) return;
  for (const side of ending.querySelectorAll("[data-tally]")) tally(side);
}

document.addEventListener("table:still", begin);
