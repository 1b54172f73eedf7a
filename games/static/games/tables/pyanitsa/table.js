// Keeps turning cards up until the trick or the match is over or somebody presses Stop; lets the
// cards of a collection be dragged into order. The forms do both without it, in larger bites.

const PAUSE = 120;

let running = "";
let trick = "";
let timer = 0;

const trickShown = () => document.querySelector("#felt [name=trick]")?.value ?? "";

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
  const isOver = !document.getElementById("table-panel")?.dataset.waitsFor;
  if (isOver || document.querySelector("#table-panel .messages .error")) return stop();
  const shown = trickShown();
  if (running === "trick" && shown && shown !== trick) return stop();
  show();
  const button = running && document.getElementById(`run-${running}`);
  if (button) timer = setTimeout(() => button.isConnected && running && button.click(), PAUSE);
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
offerSteps();
