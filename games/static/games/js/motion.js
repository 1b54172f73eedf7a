// Lets cards fly from where they lay to where they lie: every card on show is measured before a
// swap and, if it is still there, moved from its old place. Nothing waits for it, and with reduced
// motion or without this script the cards are simply there.

const TAKES = 220;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
let places = new Map();

const shown = () =>
  [...document.querySelectorAll("#table-panel .playing-card[data-card]")].filter((e) => e.dataset.card);

document.addEventListener("htmx:beforeSwap", () => {
  places = new Map(shown().map((card) => [card.dataset.card, card.getBoundingClientRect()]));
});

document.addEventListener("htmx:afterSwap", () => {
  if (calm.matches || document.hidden) return;
  for (const card of shown()) arrive(card, places.get(card.dataset.card));
});

function arrive(card, from) {
  const to = card.getBoundingClientRect();
  if (!from) {
    const appears = [{ opacity: 0, transform: "translateY(-14px)" }, { opacity: 1 }];
    return card.animate(appears, { duration: TAKES, easing: "ease-out" });
  }
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.abs(x) + Math.abs(y) < 2) return;
  const scale = from.width / to.width || 1;
  const flies = [
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: "0 0", zIndex: 5 },
    { transform: "none", transformOrigin: "0 0", zIndex: 5 },
  ];
  card.animate(flies, { duration: TAKES, easing: "cubic-bezier(.2,.8,.3,1)" });
}
