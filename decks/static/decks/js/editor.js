// The deck editor by drag and by keys. Every gesture presses a button that is there anyway:
// drop a card on the tray to add it, drop it elsewhere to take it out, arrows walk, Delete takes
// out, Ctrl+Z undoes. Focus stays where it was when the panel is swapped.

const editor = document.getElementById("editor");
const tray = () => editor.querySelector("[data-drop]");
const buttons = (row) => [...row.querySelectorAll(".pick")];
let dragged = null;
let slot = -1;

function makeDraggable() {
  for (const card of editor.querySelectorAll("[data-pick], [data-slot]")) card.draggable = true;
}

editor.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("[data-pick], [data-slot]");
  if (!dragged) return;
  event.dataTransfer.effectAllowed = "copyMove";
  event.dataTransfer.setData("text/plain", dragged.dataset.pick ?? dragged.dataset.slot);
  dragged.classList.add("is-dragged");
});

editor.addEventListener("dragover", (event) => {
  if (!dragged) return;
  const over = Boolean(event.target.closest("[data-drop]"));
  if (over === Boolean(dragged.dataset.pick)) event.preventDefault();
  tray().classList.toggle("is-over", over && Boolean(dragged.dataset.pick));
});

editor.addEventListener("drop", (event) => {
  if (!dragged) return;
  event.preventDefault();
  const inside = Boolean(event.target.closest("[data-drop]"));
  if (inside === Boolean(dragged.dataset.pick)) dragged.querySelector("button").click();
});

editor.addEventListener("dragend", () => {
  dragged?.classList.remove("is-dragged");
  tray().classList.remove("is-over");
  dragged = null;
});

function walk(from, step) {
  const all = buttons(from.closest(".slots, .catalogue"));
  all[all.indexOf(from) + step]?.focus();
}

editor.addEventListener("keydown", (event) => {
  const card = event.target.closest(".pick");
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.matches("input")) {
    event.preventDefault();
    return document.getElementById("undo").click();
  }
  if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    event.preventDefault();
    walk(card, event.key === "ArrowRight" ? 1 : -1);
  }
  if (event.key === "Delete" || event.key === "Backspace") {
    event.preventDefault();
    const same = `[data-slot="${CSS.escape(card.value)}"] button`;
    (card.name === "remove" ? card : editor.querySelector(same))?.click();
  }
});

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  slot = active?.name === "remove" ? buttons(tray()).indexOf(active) : -1;
});

document.addEventListener("htmx:afterSettle", () => {
  makeDraggable();
  if (slot < 0) return;
  const left = buttons(tray());
  (left[Math.min(slot, left.length - 1)] ?? editor.querySelector("[name=add]")).focus();
  slot = -1;
});

makeDraggable();
for (const hint of document.querySelectorAll(".drag-hint")) {
  hint.hidden = !window.matchMedia("(hover: hover)").matches;
}
