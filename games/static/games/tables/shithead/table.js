// Choosing cards: only equal ones together, a top card only with the whole hand, two for a swap.
// What the form does alone is done here at once; what cannot be played says why.

let kept = [];

const panel = () => document.getElementById("table-panel");
const boxes = () => [...(panel()?.querySelectorAll("#felt .sh-mine input[type=checkbox]") ?? [])];
const chosen = () => boxes().filter((box) => box.checked);
const isExchange = () => Boolean(panel()?.querySelector("#felt [data-exchange]"));
const from = (place) => (box) => box.dataset.from === place;

function explain(sentence) {
  const why = document.getElementById("why");
  if (!why) return;
  why.textContent = sentence ?? "";
  why.hidden = !sentence;
}

function uncheck(found) {
  for (const box of found) box.checked = false;
}

// Of hand and top cards one each; the second choice swaps.
function chooseForSwap(box) {
  uncheck(boxes().filter((other) => other !== box && other.dataset.from === box.dataset.from));
  if (chosen().length < 2) return;
  document.getElementById("felt").requestSubmit(document.getElementById("swap"));
  uncheck(chosen());
}

// A top card goes with the whole hand or, when the hand is empty, alone (R9).
function chooseForPlay(box) {
  if (box.dataset.why) {
    box.checked = false;
    return explain(box.dataset.why);
  }
  explain();
  uncheck(boxes().filter((other) => other.dataset.rank !== box.dataset.rank));
  const hand = boxes().filter(from("hand"));
  if (box.checked && box.dataset.from === "top") for (const card of hand) card.checked = true;
  if (!box.checked && box.dataset.from === "hand") uncheck(boxes().filter(from("top")));
}

function sayWhatIsPlayed() {
  const play = document.getElementById("play");
  if (!play) return;
  const cards = chosen().map((box) => box.getAttribute("aria-label"));
  const [first] = cards;
  play.disabled = !first;
  const { none, one, several } = play.dataset;
  const words = cards.length > 1 ? several : first ? one : none;
  play.textContent = words.replace("{n}", cards.length).replace("{card}", first);
}

document.addEventListener("change", (event) => {
  const box = event.target.closest(".sh-mine input[type=checkbox]");
  if (!box) return;
  if (isExchange()) return chooseForSwap(box);
  chooseForPlay(box);
  sayWhatIsPlayed();
});

// A double click plays the card at once, with the equal ones chosen before.
document.addEventListener("dblclick", (event) => {
  const box = event.target.closest("label.pick")?.querySelector("input");
  const play = document.getElementById("play");
  if (!box || box.dataset.why || !play) return;
  box.checked = true;
  chooseForPlay(box);
  sayWhatIsPlayed();
  document.getElementById("felt").requestSubmit(play);
});

// A rank's key chooses its cards one after the other, then none of them; cards that may not be played
// only where there is no other.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isExchange()) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  const key = event.key === "0" ? "T" : event.key.toUpperCase();
  const all = boxes().filter((box) => box.dataset.rank === key);
  const free = all.filter((box) => !box.dataset.why);
  const equal = free.length ? free : all;
  if (!equal.length) return;
  event.preventDefault();
  const next = equal.find((box) => !box.checked);
  if (next) next.click();
  else uncheck(equal);
  (next ?? equal[0]).focus();
  sayWhatIsPlayed();
});

// The choice outlives a swap of the table panel, as others move while one still thinks.
document.addEventListener("htmx:beforeSwap", () => {
  kept = chosen().map((box) => box.value);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const box of boxes()) box.checked = kept.includes(box.value) && !box.dataset.why;
  sayWhatIsPlayed();
});
sayWhatIsPlayed();
