// The hand can be sorted by suit; a card shows where it would go, and why it cannot.

const KEY = "durak:sort";
const STRENGTH = "23456789TJQKA";

const panel = () => document.getElementById("table-panel");
const hand = () => document.querySelector("#felt .du-hand");
const codeOf = (held) => held.querySelector("[data-card]")?.dataset.card ?? "";

function chosen() {
  try {
    return localStorage.getItem(KEY) === "suit" ? "suit" : "rank";
  } catch {
    return "rank"; // a browser that keeps nothing
  }
}

function keep(order) {
  try {
    localStorage.setItem(KEY, order);
  } catch {
    // then only for this page
  }
}

// Trumps are last either way.
function key(held, order) {
  const [rank, suit] = codeOf(held);
  const place = STRENGTH.indexOf(rank);
  const trump = held.classList.contains("is-trump") ? 1000 : 0;
  return trump + (order === "suit" ? "CDSH".indexOf(suit) * 20 + place : place * 4 + "CDHS".indexOf(suit));
}

function sort(order) {
  const rows = [...(hand()?.querySelectorAll(".du-row") ?? [])];
  const sizes = rows.map((row) => row.children.length);
  const cards = rows.flatMap((row) => [...row.children]);
  cards.sort((one, other) => key(one, order) - key(other, order));
  rows.forEach((row, at) => row.append(...cards.splice(0, sizes[at])));
}

function label() {
  const button = hand()?.querySelector("[data-sort]");
  if (!button) return;
  const order = chosen();
  button.textContent = order === "suit" ? button.dataset.bySuit : button.dataset.byRank;
  button.hidden = hand().querySelectorAll(".du-card").length < 3;
}

function arrange() {
  if (!hand()) return;
  if (chosen() === "suit") sort("suit");
  label();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-sort]")) {
    const order = chosen() === "suit" ? "rank" : "suit";
    keep(order);
    sort(order);
    label();
  }
  if (event.target.closest(".du-card.is-barred")) explain();
});

// The line that says what is to be done says for a moment why this card is not it.
let before = "";
let timer = 0;

function explain() {
  const line = panel()?.querySelector("[data-situation]");
  const why = hand()?.dataset.why;
  if (!line || !why) return;
  if (!line.classList.contains("is-why")) before = line.textContent;
  clearTimeout(timer);
  line.textContent = why;
  line.classList.add("is-why");
  timer = setTimeout(() => {
    line.textContent = before;
    line.classList.remove("is-why");
  }, 2200);
}

function aim(event, on) {
  const card = event.target.closest?.(".du-card > button.playing-card");
  if (card) panel()?.querySelector(".du-pair.is-aimed")?.classList.toggle("is-target", on);
}

for (const [name, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
  document.addEventListener(name, (event) => aim(event, on));
}

document.addEventListener("htmx:afterSwap", arrange);
arrange();
