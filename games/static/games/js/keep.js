// What a swap of the board must not lose: the focus, opened details, scroll of the hand. And it
// tells the page's title and screen readers what is new.

let focused = null;
let opened = [];

const describe = (element) => {
  if (!element || element === document.body) return null;
  const { id, name, value, dataset } = element;
  const row = [...(element.parentElement?.children ?? [])];
  return { id, name, value, card: dataset.card, place: row.indexOf(element) };
};

const find = (board, { id, name, value, card, place }) => {
  if (id) return document.getElementById(id);
  const alike = name ? [...board.querySelectorAll(`[name="${CSS.escape(name)}"]`)] : [];
  const same = alike.find((e) => e.value === value && e.type !== "hidden");
  if (same || card === undefined) return same;
  const row = board.querySelectorAll(".hand-row button.playing-card");
  return row[Math.min(place, row.length - 1)];
};

document.addEventListener("htmx:beforeSwap", () => {
  const board = document.getElementById("board");
  const active = document.activeElement;
  focused = board?.contains(active) ? describe(active) : focused;
  opened = [...document.querySelectorAll("#board details[open][id]")].map((each) => each.id);
});

document.addEventListener("htmx:afterSwap", () => {
  const board = document.getElementById("board");
  if (!board) return;
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  document.title = board.dataset.title;
  document.getElementById("said").textContent = board.dataset.said;
  if (focused && (document.activeElement === document.body || !document.activeElement)) {
    find(board, focused)?.focus({ preventScroll: true });
  }
});

document.addEventListener("focusin", (event) => {
  if (!document.getElementById("board")?.contains(event.target)) focused = null;
});
