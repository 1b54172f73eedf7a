// A big screen that nobody touches: it stays awake, follows the next match, and loads itself again
// after a sleep. On a phone: the button for the whole table, and vibration for who sat down by a code.

import { recall, store } from "./storage.js";

const CHECKED = 5000;
const SLEPT = 60000; // timers that stood still for so long: the television was off
const AFTER_A_SLEEP = 1500;
const NEXT = 6000; // the ending is seen first

const isScreen = document.body.classList.contains("at-screen");
const panel = () => document.getElementById("table-panel");

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // A television without it stays awake by its own settings.
  }
}

let last = Date.now();
let leaving = 0;

// A server that is not there would leave an error on the screen for good: it is asked first.
async function reload() {
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if (answer.status < 500) location.reload();
  } catch {
    // Asked again by the next check, as the sleep is remembered until then.
    last = 0;
  }
}

function check() {
  const [before, now] = [last, Date.now()];
  last = now;
  if (now - before > SLEPT) return void setTimeout(reload, AFTER_A_SLEEP);
  const { next, over } = panel()?.dataset ?? {};
  if (next && !leaving) leaving = setTimeout(() => location.assign(next), NEXT);
  else if (over !== undefined) document.dispatchEvent(new CustomEvent("live:rematch"));
}

if (isScreen) {
  stayAwake();
  setInterval(check, CHECKED);
  document.addEventListener("visibilitychange", () => document.hidden || stayAwake());
}

const whole = document.querySelector("[data-whole-table]");
if (whole) {
  const show = () => {
    const isWhole = recall("whole-table") === "on";
    document.body.classList.toggle("has-screen", !isWhole);
    whole.setAttribute("aria-pressed", isWhole);
  };
  whole.hidden = false;
  whole.addEventListener("click", () => {
    store("whole-table", recall("whole-table") === "on" ? "off" : "on");
    show();
  });
  show();
}

document.querySelector("[data-joins]")?.addEventListener("submit", () => {
  if (recall("vibration") === null) store("vibration", "on");
});
