// The front page: its deal that plays itself, and the running table that somebody may look at.

// The deal that plays itself on the landing page: card after card, as it was recorded. It rests while
// it is out of sight, and does not begin where somebody wants no motion.

const STEP = 900;
const FLY = 420;
const AGAIN = 3500;

const table = document.querySelector("[data-demo]");
const motions = [...(document.querySelector("[data-motions]")?.content.children ?? [])];
const wanted = window.matchMedia("(prefers-reduced-motion: no-preference)");
const find = (query) => table.querySelector(query);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

let inSight = false;
let points = [0, 0];
const first = table?.innerHTML;

function fly(card, from) {
  const to = card.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  const start = { transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})`, transformOrigin: "0 0" };
  return card.animate([start, { transform: "none", transformOrigin: "0 0" }], { duration: FLY, easing: "cubic-bezier(.2,.8,.3,1)" }).finished;
}

async function play(by, [card]) {
  const hand = find(`[data-hand="${by}"]`);
  const held = hand.querySelector(`[data-card="${card.dataset.card}"]`) ?? hand.lastElementChild;
  const from = held.getBoundingClientRect();
  held.remove();
  const laid = card.cloneNode(true);
  find("[data-pile]").append(laid);
  await fly(laid, from);
}

async function take(by) {
  const to = find(`[data-points="${by}"]`).getBoundingClientRect();
  await pause(FLY);
  const flights = [...find("[data-pile]").children].map((card) => {
    const box = card.getBoundingClientRect();
    const away = `translate(${to.left - box.left}px, ${to.top - box.top}px) scale(.2)`;
    return card.animate([{}, { transform: away, opacity: 0 }], { duration: FLY, easing: "ease-in", fill: "forwards" }).finished;
  });
  points[by] += flights.length;
  await Promise.all(flights);
  find("[data-pile]").replaceChildren();
  find(`[data-points="${by}"]`).textContent = points[by];
}

async function cry() {
  const word = find("[data-cry]");
  word.hidden = false;
  await word.animate([{ opacity: 0, scale: 0.6 }, { opacity: 1, scale: 1.1, offset: 0.2 }, { opacity: 1, scale: 1, offset: 0.8 }, { opacity: 0 }], { duration: STEP }).finished;
  word.hidden = true;
}

async function deal(_by, cards) {
  const from = find(".demo-stock").getBoundingClientRect();
  const back = find(".demo-stock").firstElementChild;
  for (const card of cards) {
    for (const [seat, face] of [[1, back], [0, card]]) {
      const dealt = face.cloneNode(true);
      find(`[data-hand="${seat}"]`).append(dealt);
      fly(dealt, from).catch(() => {});
    }
    await pause(FLY / 3);
  }
}

const may = () => inSight && wanted.matches && !document.hidden;

async function run() {
  for (;;) {
    for (const motion of motions) {
      while (!may()) await pause(STEP);
      await { play, take, cry, deal }[motion.dataset.motion](Number(motion.dataset.by), [...motion.children]);
      if (motion.dataset.motion !== "take") await pause(STEP - FLY);
    }
    await pause(AGAIN);
    table.innerHTML = first;
    points = [0, 0];
  }
}

if (table && motions.length && wanted.matches) {
  new IntersectionObserver(([entry]) => (inSight = entry.isIntersecting)).observe(table);
  pause(STEP * 2).then(run).catch(() => {}); // a picture that stands still is one, too
}

const EVERY = 4000;
let asking = false;

// Keeps the running table of the front page up to date while somebody looks at it.


async function ask() {
  const shown = document.getElementById("featured");
  if (asking || document.hidden || !shown) return;
  asking = true;
  const address = `${shown.dataset.update}?shown=${encodeURIComponent(shown.dataset.tag)}`;
  const answer = await fetch(address).catch(() => null);
  const part = answer?.status === 200 ? await answer.text().catch(() => "") : "";
  if (part) {
    shown.insertAdjacentHTML("afterend", part);
    shown.remove();
  }
  asking = false;
}

document.addEventListener("visibilitychange", ask);
setInterval(ask, EVERY);
