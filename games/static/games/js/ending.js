// The end of a round lies over the felt until somebody goes on: by its button, or by itself after
// some seconds. What was closed once stays closed.

let timer = 0;
let closed = "";

const shown = () => document.querySelector("#round-ending[open]");

function wait() {
  clearTimeout(timer);
  const ending = shown();
  if (!ending) return;
  if (ending.dataset.round === closed) return ending.removeAttribute("open");
  if (document.querySelector("#table-panel.is-staged")) return; // it is not seen yet
  timer = setTimeout(close, 1000 * Number(ending.dataset.seconds));
}

function close() {
  const ending = shown();
  if (ending?.matches(":hover, :focus-within")) return wait();
  ending?.removeAttribute("open");
}

document.addEventListener("toggle", ({ target }) => {
  if (target.id === "round-ending" && !target.open) closed = target.dataset.round;
}, true);
document.addEventListener("htmx:afterSwap", wait);
document.addEventListener("table:still", wait);
wait();
