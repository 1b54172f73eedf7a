// Moments: a word is called out and something bursts, burns, shakes, glows or piles up where it
// happened. They are played before the felt, on a layer that no press reaches, and nothing waits for
// their end: by then the felt may be the newest one, and the reader may play.

import { sound } from "./sound.js";

const LASTS = 1500; // at the calm pace
const SPARKS = { burst: 18, double: 40 };
const FLAMES = 16;

const felt = () => document.getElementById("felt");
const between = (low, high) => low + Math.random() * (high - low);
const layers = new Set();

export function clear() {
  for (const layer of layers) layer.remove();
  layers.clear();
}

// A motion that never ends and one that fails are over as well.
function layerFor({ element }, milliseconds) {
  const made = document.createElement("div");
  const { left, top, width, height } = element.getBoundingClientRect();
  made.className = "moment-layer";
  made.ariaHidden = "true";
  Object.assign(made.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  document.body.append(made);
  layers.add(made);
  setTimeout(() => {
    made.remove();
    layers.delete(made);
  }, milliseconds);
  return made;
}

// The spot on the stage and on the felt that is shown next; the motion acts on both.
function spots(stage, name) {
  const [, seat] = name.split("board-");
  const query = seat ? `[data-seat="${seat}"] [data-spot=board]` : `[data-spot="${name}"]`;
  return [stage.find(name), felt()?.querySelector(query)].filter(Boolean);
}

function box(layer, [spot]) {
  const whole = layer.getBoundingClientRect();
  const { left, top, width, height } = spot?.getBoundingClientRect() ?? whole;
  return { x: left - whole.left, y: top - whole.top, width, height };
}

function piece(layer, kind, { x, y, width, height }) {
  const made = document.createElement("i");
  made.className = kind;
  Object.assign(made.style, { left: `${x}px`, top: `${y}px` });
  if (width) Object.assign(made.style, { width: `${width}px`, height: `${height}px` });
  layer.append(made);
  return made;
}

function burst({ layer, at, lasts, effect }) {
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
  const count = SPARKS[effect];
  for (let ring = 0; ring * 20 < count; ring++) {
    const wave = piece(layer, "moment-wave", { x, y });
    const steps = [{ opacity: 0.9, scale: 0.2 }, { opacity: 0, scale: 4 + 2 * ring }];
    wave.animate(steps, { duration: lasts * 0.55, delay: ring * lasts * 0.14, fill: "both", easing: "ease-out" });
  }
  for (let n = 0; n < count; n++) {
    const angle = (n / count) * 2 * Math.PI + between(-0.15, 0.15);
    const far = between(0.7, 1.25) * Math.max(at.width, 110) * (effect === "double" ? 1.7 : 1.15);
    const to = `translate(${Math.cos(angle) * far}px, ${Math.sin(angle) * far + 30}px) rotate(${between(180, 540)}deg)`;
    const steps = [{ opacity: 1, transform: "none" }, { opacity: 1, offset: 0.6 }, { opacity: 0, transform: to }];
    piece(layer, `moment-spark is-${n % 4}`, { x, y }).animate(steps, { duration: lasts * between(0.6, 0.95), fill: "both", easing: "cubic-bezier(.1,.8,.4,1)" });
  }
  if (effect === "double") flash(layer, "is-gold", lasts);
}

function flash(layer, kind, lasts) {
  piece(layer, `moment-flash ${kind}`, { x: 0, y: 0 }).animate([{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 0 }], { duration: lasts * 0.7, fill: "both" });
}

function burn({ layer, at, lasts }) {
  const wide = Math.max(70, at.width);
  for (let n = 0; n < FLAMES; n++) {
    const size = between(0.35, 0.7) * wide;
    const place = { x: at.x + between(-0.1, 0.75) * wide, y: at.y + at.height * between(0.35, 0.7), width: size * 0.7, height: size };
    const up = `translateY(${-between(0.7, 1.5) * wide}px) scale(.25)`;
    const steps = [{ opacity: 0, transform: "scale(.4)" }, { opacity: 0.95, offset: 0.25 }, { opacity: 0, transform: up }];
    piece(layer, `moment-flame is-${n % 3}`, place).animate(steps, { duration: lasts * between(0.5, 0.75), delay: between(0, 0.22) * lasts, fill: "both", easing: "ease-in" });
  }
}

function bust({ layer, places, lasts }) {
  const beats = [0, -9, 8, -7, 6, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  for (const place of places) place.animate(beats, { duration: lasts * 0.45 });
  flash(layer, "is-red", lasts);
}

function twenty({ layer, at, lasts }) {
  const steps = [{ opacity: 0, scale: 0.94 }, { opacity: 1, scale: 1, offset: 0.25 }, { opacity: 1, offset: 0.6 }, { opacity: 0, scale: 1.05 }];
  piece(layer, "moment-glow", at).animate(steps, { duration: lasts * 0.95, fill: "both" });
}

// The cards of the trick heap up, one on the other, and lie in their row again.
function dispute({ layer, at, stage, places, lasts }) {
  const middle = { x: at.x + at.width / 2, y: at.y + at.height / 2 };
  const shown = places.at(-1);
  for (const card of [...stage.lying("trick"), ...(shown?.querySelectorAll("[data-card]") ?? [])]) heap(card, shown, lasts);
  const wave = piece(layer, "moment-wave is-fire", middle);
  wave.animate([{ opacity: 0, scale: 0.3 }, { opacity: 0.9, offset: 0.4 }, { opacity: 0, scale: 5 }], { duration: lasts * 0.6, delay: lasts * 0.2, fill: "both" });
}

function heap(card, place, lasts) {
  const [own, all] = [card.getBoundingClientRect(), place.getBoundingClientRect()];
  const [x, y] = [all.left + all.width / 2 - own.left - own.width / 2, all.top + all.height / 2 - own.top - own.height / 2];
  const pile = `translate(${x * 0.9 + between(-8, 8)}px, ${y * 0.6 + between(-6, 6)}px) rotate(${between(-24, 24)}deg) scale(1.08)`;
  const steps = [{ transform: "none" }, { transform: pile, offset: 0.35 }, { transform: pile, offset: 0.7 }, { transform: "none" }];
  card.animate(steps, { duration: lasts * 0.7, easing: "ease-in-out" });
}

const EFFECTS = { burst, double: burst, burn, bust, twenty, dispute };

// The word stands over the spot, so that this is seen, too.
function call(layer, { word, tone, effect }, { y, height }, lasts) {
  const made = document.createElement("p");
  made.className = `call tone-${tone}${effect ? " is-moment" : ""}`;
  made.textContent = word;
  layer.append(made);
  if (effect && height < layer.clientHeight / 2) made.style.top = `${Math.max(made.offsetHeight * 0.6, y - made.offsetHeight * 0.3)}px`;
  const steps = [
    { opacity: 0, transform: "translate(-50%, -50%) scale(.6)" },
    { opacity: 1, transform: "translate(-50%, -50%) scale(1.12)", offset: 0.15 },
    { opacity: 1, transform: "translate(-50%, -50%)", offset: 0.75 },
    { opacity: 0, transform: "translate(-50%, -50%)" },
  ];
  made.animate(steps, { duration: lasts, fill: "both" });
}

// Begins; nobody waits for the end.
export function moment(stage, motion, by) {
  clear();
  const lasts = LASTS * by;
  const layer = layerFor(stage, lasts);
  const places = motion.effect ? spots(stage, motion.start) : [];
  const at = box(layer, places);
  call(layer, motion, at, lasts);
  sound(motion.effect || motion.tone);
  EFFECTS[motion.effect]?.({ layer, stage, lasts, places, at, effect: motion.effect });
}
