// Keeps turning cards up until the trick or the match is over or somebody presses Stop; lets the
// cards of a collection be dragged into order. The forms do both without it, in larger bites.

import { remaining } from "../../js/choreography.js";

const PAUSE = 120;
const SETTLED = 60; // htmx takes 20 ms until it hears the buttons of a new panel
const AHEAD = 500; // the next tricks are asked for while the last ones are still shown

let running = ""; // "trick" or "end"
let trick = "";
let timer = 0;

const trickShown = () => document.querySelector("#felt [name=trick]")?.value ?? "";
const isOver = () => !document.getElementById("table-panel")?.dataset.waitsFor;

function stop() {
  running = "";
  clearTimeout(timer);
  show();
}

function show() {
  const button = document.getElementById("stop");
  if (button) button.hidden = running !== "end";
}

// After every swap: go on if it still is to go on and it is this seat's turn.
function goOn() {
  clearTimeout(timer);
  if (isOver() && remaining()) return show(); // Stop ends what is still shown
  if (isOver() || document.querySelector("#table-panel .messages .error")) return stop();
  const shown = trickShown();
  if (running === "trick" && shown && shown !== trick) return stop();
  show();
  const pause = running === "end" ? Math.max(SETTLED, remaining() - AHEAD) : PAUSE;
  if (running) timer = setTimeout(press, pause);
}

function press() {
  if (running) document.getElementById(`run-${running}`)?.click();
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("#table-panel button");
  if (!pressed) return;
  if (pressed.id === "stop" || pressed.id === "flip") return stop();
  if (pressed.dataset.run) {
    if (!running) trick = trickShown();
    running = pressed.dataset.run;
    show();
  }
  if (pressed.dataset.step) step(pressed);
});

// A press ends what is shown and so asks for more; a press on Stop does not.
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.id === "stop" && ["Enter", " ", undefined].includes(event.key)) stop();
  }, true);
}

// The order of a collection is the order of the list; the numbers follow it.

const list = () => document.getElementById("collecting");

function number() {
  [...list().children].forEach((item, at) => {
    item.querySelector("[name=place]").value = at + 1;
  });
}

function step(button) {
  const item = button.closest("li");
  if (button.dataset.step === "1") item.nextElementSibling?.after(item);
  else item.previousElementSibling?.before(item);
  number();
  button.focus();
}

let dragged = null;

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("#collecting li") ?? null;
  dragged?.classList.add("is-dragged");
});
document.addEventListener("dragover", (event) => {
  const over = dragged && event.target.closest?.("#collecting li");
  if (!over || over === dragged) return;
  event.preventDefault();
  const { left, width } = over.getBoundingClientRect();
  if (event.clientX > left + width / 2) over.after(dragged);
  else over.before(dragged);
});
document.addEventListener("drop", (event) => {
  if (dragged) event.preventDefault();
});
document.addEventListener("dragend", () => {
  dragged?.classList.remove("is-dragged");
  if (dragged?.isConnected) number();
  dragged = null;
});

function offerSteps() {
  for (const steps of document.querySelectorAll(".py-steps")) steps.hidden = false;
}

document.addEventListener("htmx:afterSwap", () => {
  offerSteps();
  goOn();
});
document.addEventListener("table:still", () => running === "end" && goOn());
offerSteps();
