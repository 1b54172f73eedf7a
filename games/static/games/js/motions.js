// How each motion looks on a stage: cards are dealt, fly, are swept away and lie there; what is called
// out is a moment. `by` is by how much all times are multiplied. A stage that is over is left as it is.

import { moment } from "./moments.js";
import { sound } from "./sound.js";

const FLY = 380;
const DEAL = 90; // between two cards of a hand
const LESS = 0.97; // than what it leaves: no card that flies is the largest thing that was painted
const SWEEP = 460;
const AROUND = 1100; // in which a whole deal leaves the stock
const BEAT = 380; // what follows a call waits for so long; nothing waits for its end
export const STAND = 400; // a card that was laid stands for so long

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const still = (animation) => animation.finished.catch(() => {});
const back = () => document.getElementById("motions")?.content.querySelector("[data-back]").firstElementChild;

export const stands = ({ kind, count, face }) => kind === "move" && count === 1 && Boolean(face);

// How many milliseconds of the calm pace a motion takes.
export function length({ kind, count, milliseconds }) {
  if (kind === "move") return count > 1 ? FLY + DEAL * count : FLY + STAND;
  return { deal: AROUND + FLY, sweep: SWEEP, call: BEAT, lay: 0, clear: 0 }[kind] ?? Number(milliseconds);
}

export const play = (stage, motion, by) => ({ move, deal, sweep, call: moment, lay, clear })[motion.kind](stage, motion, by);

async function move(stage, motion, by) {
  const flights = [...Array(motion.count).keys()].map((n) => flight(stage, motion, by, n * DEAL * by));
  await Promise.all(flights);
  if (motion.count === 1) sound("lay");
}

// Around the table, card by card. An empty stage then shows what the seats hold.
async function deal(stage, motion, by) {
  const spots = motion.to === "everybody" ? stage.everybody(motion.count) : motion.to.split(" ");
  const gap = Math.min(DEAL, AROUND / spots.length) * by;
  const flights = spots.map((to, n) => flight(stage, { ...motion, to }, by, n * gap).then(() => n % 2 || sound("deal")));
  await Promise.all(flights);
  stage.fill();
}

async function flight(stage, motion, by, wait) {
  if (wait) await pause(wait);
  const face = motion.face ?? back();
  if (!face || stage.isOver) return;
  const arriving = stage.arriving(motion.to);
  const from = departure(stage, motion);
  const to = arriving?.to ?? stage.place(motion.to);
  const ghost = stage.ghost(face, motion.to, to);
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${(LESS * from.width) / to.width})`;
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
  stage.reveal(motion.to);
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
  sound("sweep");
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
