// The clock of a move ticks by the server's time: to the second below ten minutes.

const TO_THE_SECOND = 600;
const SHORT = 30;

let ahead = 0; // of the server's clock, in milliseconds

const panel = () => document.getElementById("table-panel");

function set() {
  const now = Date.parse(panel()?.dataset.now ?? "");
  if (now) ahead = Date.now() - now;
  tick();
}

function tick() {
  const shown = panel()?.querySelector("time.deadline");
  if (!shown) return;
  const seconds = Math.max(0, Math.ceil((Date.parse(shown.dateTime) - (Date.now() - ahead)) / 1000));
  shown.classList.toggle("is-short", seconds <= SHORT);
  if (seconds >= TO_THE_SECOND) return;
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (shown.textContent !== text) shown.textContent = text;
}

document.addEventListener("htmx:afterSwap", set);
document.addEventListener("visibilitychange", tick);
setInterval(tick, 250);
set();
