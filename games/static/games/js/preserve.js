// Preserves the focus and opened details across a swap. When the table panel stands still it also
// sets the page's title and tells screen readers what happened.

let focused = null;
let opened = [];

const describe = (element) => {
  if (!element || element === document.body) return null;
  const { id, name, value, dataset } = element;
  const row = [...(element.parentElement?.children ?? [])];
  return { id, name, value, card: dataset.card, place: row.indexOf(element) };
};

const swapped = () => document.getElementById("table-panel") ?? document.getElementById("new-match");

const find = (root, { id, name, value, card, place }) => {
  if (id) return document.getElementById(id);
  const alike = name ? [...root.querySelectorAll(`[name="${CSS.escape(name)}"]`)] : [];
  const same = alike.find((e) => e.value === value && e.type !== "hidden");
  if (same || card === undefined) return same;
  const row = root.querySelectorAll(".hand-row button.playing-card");
  return row[Math.min(place, row.length - 1)];
};

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  focused = swapped()?.contains(active) ? describe(active) : focused;
  opened = [...document.querySelectorAll("details[open][id]")].map((each) => each.id);
});

function refocus(root) {
  if (focused && (document.activeElement === document.body || !document.activeElement)) {
    find(root, focused)?.focus({ preventScroll: true });
  }
}

document.addEventListener("htmx:afterSwap", () => {
  const root = swapped();
  if (!root) return;
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  refocus(root);
});

// What is hidden while cards move has no focus, and is not told before it is seen.
document.addEventListener("table:still", () => {
  const root = document.getElementById("table-panel");
  refocus(root);
  document.title = root.dataset.title;
  document.getElementById("said").textContent = root.dataset.said;
});

document.addEventListener("focusin", (event) => {
  if (!swapped()?.contains(event.target)) focused = null;
});
