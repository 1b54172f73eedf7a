// Asks for an update while somebody else is to move: often for a computer, slower for people,
// slowest in a background tab, never once the match is over. The answer is the panel, or 204.

const EVERY = { bots: 400, others: 2000, you: 10000 };
const IN_BACKGROUND = 15000;
const AFTER_A_FAULT = 5000;

let timer = 0;
let sending = false;

const panel = () => document.getElementById("table-panel");

function wait(milliseconds) {
  clearTimeout(timer);
  const every = EVERY[panel()?.dataset.waitsFor];
  if (every) timer = setTimeout(ask, milliseconds ?? (document.hidden ? IN_BACKGROUND : every));
}

async function ask() {
  const shown = panel();
  if (!shown || sending) return wait();
  const address = `${shown.dataset.update}?shown=${encodeURIComponent(shown.dataset.tag)}`;
  try {
    await window.htmx.ajax("GET", address, { source: shown, target: shown, swap: "outerHTML" });
    wait();
  } catch {
    wait(AFTER_A_FAULT);
  }
}

// A second click on the same page would be a move at a version that is gone.
document.addEventListener("htmx:confirm", (event) => {
  if (sending && event.detail.verb === "post") event.preventDefault();
});

const isSent = (event) => event.detail.requestConfig?.verb === "post";

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isSent(event)) sending = true;
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (isSent(event)) sending = false;
});
document.addEventListener("htmx:afterSwap", () => wait());
document.addEventListener("visibilitychange", () => wait(document.hidden ? undefined : 50));
window.addEventListener("online", () => wait(50));
wait();
