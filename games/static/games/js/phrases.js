// Shows what is said at the table as a bubble at the seat, for four seconds; and says it without
// loading the page again.

const SHOWN = 4000;
const spoken = new Map(); // seat: { phrase, text, picture, until }

// As it is drawn; a sign that this page does not know is written.
function drawn(phrase) {
  return document.getElementById("signs")?.content.querySelector(`[data-sign="${CSS.escape(phrase)}"] > svg`)?.cloneNode(true);
}

function fill(bubble, { phrase, text, picture }) {
  bubble.textContent = "";
  if (picture) {
    const sign = document.createElement("span");
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", text);
    sign.append(drawn(phrase) ?? picture);
    bubble.append(sign);
  } else {
    bubble.textContent = text;
  }
  bubble.hidden = false;
}

function show() {
  const now = Date.now();
  for (const bubble of document.querySelectorAll("[data-phrase]")) {
    const one = spoken.get(Number(bubble.dataset.phrase));
    if (one && one.until > now) {
      if (bubble.hidden || bubble.dataset.shown !== one.key) fill(bubble, one);
      bubble.dataset.shown = one.key;
    } else {
      bubble.hidden = true;
    }
  }
}

let count = 0;

document.addEventListener("live:said", ({ detail }) => {
  count += 1;
  const left = Math.max(1000, SHOWN - Math.max(0, Date.now() - Date.parse(detail.at)));
  spoken.set(detail.seat, { ...detail, key: String(count), until: Date.now() + left });
  show();
  setTimeout(show, left + 50);
});

// The panel with its bubbles is replaced after a move.
document.addEventListener("htmx:afterSwap", show);

// What came with the page is shown as long.
setTimeout(show, SHOWN);

// On a phone the list is a sheet over the table: a press beside it, or Escape, puts it away.
const sheet = () => document.querySelector("#talk[open]");
const isOverTable = (talk) => getComputedStyle(talk.parentElement).position === "fixed";
document.addEventListener("pointerdown", ({ target }) => {
  const talk = sheet();
  if (talk && isOverTable(talk) && !talk.contains(target)) talk.open = false;
});
document.addEventListener("keydown", ({ key }) => {
  const talk = key === "Escape" ? sheet() : null;
  if (!talk) return;
  talk.open = false;
  talk.querySelector("summary").focus();
});

// A phrase that was said closes the list, so that the bubble is seen; a refusal stands in it.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (!target?.matches?.("[data-talk]") || !detail.successful) return;
  if (!detail.xhr.responseText) document.getElementById("talk")?.removeAttribute("open");
});
