// The clock of a move ticks by the server's time: to the second below ten minutes; so does each seat's
// bank of time, as long as it runs. A ring around the face of the player who is to move runs out with
// it, and ticks in the last ten seconds.

const TO_THE_SECOND = 600;
const SHORT = 30;
const LAST = 10;

let ahead = 0; // of the server's clock, in milliseconds

const panel = () => document.getElementById("table-panel");

function set() {
  const now = Date.parse(panel()?.dataset.now ?? "");
  if (now) ahead = Date.now() - now;
  tick();
}

const secondsTo = (moment) => Math.max(0, (Date.parse(moment) - (Date.now() - ahead)) / 1000);

let ticked = -1;

function turnRing(ring) {
  const left = secondsTo(ring.dataset.until);
  const all = Math.max(left, Number(ring.dataset.seconds), 1);
  const second = Math.ceil(left);
  ring.querySelector(".ring-left").style.setProperty("stroke-dashoffset", 100 * (1 - left / all));
  ring.classList.toggle("is-short", second <= Math.max(LAST, Math.min(SHORT, all / 2)));
  ring.classList.toggle("is-last", second <= LAST);
  if (second > LAST || second === ticked || !second) return;
  ticked = second;
  ring.classList.remove("ticks");
  void ring.getBoundingClientRect(); // the animation begins again
  ring.classList.add("ticks");
  document.dispatchEvent(new CustomEvent("clock:tick", { detail: { second } }));
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function runDown(bank) {
  const seconds = Math.ceil(secondsTo(bank.dateTime));
  bank.classList.toggle("is-short", seconds <= SHORT);
  const text = minutes(seconds);
  if (bank.textContent !== text) bank.textContent = text;
}

function tick() {
  panel()?.querySelectorAll("#felt .ring").forEach(turnRing);
  panel()?.querySelectorAll("time.seat-bank.runs").forEach(runDown);
  const shown = panel()?.querySelector("time.deadline");
  if (!shown) return;
  const seconds = Math.ceil(secondsTo(shown.dateTime));
  shown.classList.toggle("is-short", seconds <= SHORT);
  if (seconds >= TO_THE_SECOND) return;
  const text = minutes(seconds);
  if (shown.textContent !== text) shown.textContent = text;
}

document.addEventListener("htmx:afterSwap", set);
document.addEventListener("visibilitychange", tick);
setInterval(tick, 250);
set();
