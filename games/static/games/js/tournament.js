// What the reader was at stays where it was when standings and boards are replaced by newer ones: the
// focus, and how far a wide table is scrolled.

const sheet = () => document.getElementById("tournament");
const name = (element) => element?.getAttribute("aria-labelledby") ?? element?.getAttribute("href");

let scrolled = [];
let focused = null;

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  focused = sheet()?.contains(active) ? name(active) : null;
  scrolled = [...(sheet()?.querySelectorAll(".scroll") ?? [])].map((each) => [name(each), each.scrollLeft]);
});

document.addEventListener("htmx:afterSwap", () => {
  const all = [...(sheet()?.querySelectorAll(".scroll, a") ?? [])];
  for (const [label, left] of scrolled) {
    const same = all.find((each) => name(each) === label);
    if (same) same.scrollLeft = left;
  }
  if (focused) all.find((each) => name(each) === focused)?.focus({ preventScroll: true });
});
