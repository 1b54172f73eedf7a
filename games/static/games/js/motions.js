// How each motion looks on a stage: cards fly, are swept away and lie there, words are called out.
// `by` is by how much all times are multiplied. A stage that is over is left as it is.

import { sound } from "./sound.js";

const FLY = 380;
const DEAL = 90; // between two cards of a hand
const SWEEP = 460;
const CALL = 900;
export const STAND = 400; // a card that was laid stands for so long

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const still = (animation) => animation.finished.catch(() => {});
const back = () => document.getElementById("motions")?.content.querySelector("[data-back]").firstElementChild;

export const stands = ({ kind, count, face }) => kind === "move" && count === 1 && Boolean(face);

// How many milliseconds of the calm pace a motion takes.
export function length({ kind, count, milliseconds }) {
  if (kind === "move") return count > 1 ? FLY + DEAL * count : FLY + STAND;
  return { sweep: SWEEP, call: CALL, lay: 0, clear: 0 }[kind] ?? Number(milliseconds);
}

export const play = (stage, motion, by) => ({ move, sweep, call, lay, clear })[motion.kind](stage, motion, by);

async function move(stage, motion, by) {
  const flights = [...Array(motion.count).keys()].map((n) => flight(stage, motion, by, n * DEAL * by));
  await Promise.all(flights);
  if (motion.count === 1) sound("lay");
}

async function flight(stage, motion, by, wait) {
  if (wait) await pause(wait);
  const face = motion.face ?? back();
  if (!face || stage.isOver) return;
  const arriving = stage.arriving(motion.to);
  const from = departure(stage, motion);
  const to = arriving?.to ?? stage.place(motion.to);
  const ghost = stage.ghost(face, motion.to, to);
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
  const steps = [{ transform: start }, { transform: "none" }];
  await still(ghost.animate(steps, { duration: FLY * by, easing: "cubic-bezier(.2,.8,.3,1)" }));
  if (!stage.isOver) land(stage, motion, ghost, arriving);
}

function departure(stage, motion) {
  const code = motion.face?.dataset.card ?? motion.code;
  const was = code && motion.start.startsWith("seat-") && stage.leave(code);
  return was || stage.place(motion.start);
}

// What a seat gets is seen no more; a card of the own hand is turned up.
function land(stage, motion, ghost, arrived) {
  if (!motion.to.startsWith("seat-")) return;
  stage.remove(ghost);
  if (arrived) stage.ghost(arrived.card, motion.to, arrived.to);
}

function lay(stage, motion) {
  const face = motion.face ?? back();
  if (face) stage.ghost(face, motion.to, stage.place(motion.to));
}

function clear(stage, motion) {
  for (const card of stage.take(motion.start)) card.remove();
}

async function sweep(stage, motion, by) {
  const to = stage.place(motion.to);
  const flights = stage.take(motion.start).map((card, at) => {
    const box = stage.within(card.getBoundingClientRect());
    const away = `translate(${to.x - box.x}px, ${to.y - box.y}px) scale(.35)`;
    const steps = [{ opacity: 1 }, { opacity: 0.9, offset: 0.7 }, { transform: away, opacity: 0 }];
    const timing = { duration: SWEEP * by, delay: Math.min(at, 8) * 18 * by, fill: "both", easing: "ease-in" };
    return still(card.animate(steps, timing)).then(() => card.classList.add("is-gone"));
  });
  await Promise.all(flights);
}

async function call(stage, motion, by) {
  const word = document.createElement("p");
  word.className = `call tone-${motion.tone}`;
  word.textContent = motion.word;
  stage.element.append(word);
  sound(motion.tone);
  const steps = [
    { opacity: 0, transform: "translate(-50%, -50%) scale(.6)" },
    { opacity: 1, transform: "translate(-50%, -50%) scale(1.12)", offset: 0.2 },
    { opacity: 1, transform: "translate(-50%, -50%)", offset: 0.8 },
    { opacity: 0, transform: "translate(-50%, -50%)" },
  ];
  await still(word.animate(steps, { duration: CALL * by }));
  word.remove();
}
