// Plays what happened, one motion after the other, on a stage that shows the felt as it was. The
// felt behind it is the newest one. Whatever goes wrong, the stage ends and that one is seen: a
// motion that fails or takes longer than planned, a press, a tab that is hidden, a window of another
// size.

import { clear } from "./moments.js";
import { length, pause, play, STAND, stands } from "./motions.js";
import { scale } from "./pace.js";
import { soundOf } from "./sound.js";
import { Stage } from "./stage.js";
import { recall, store } from "./storage.js";

const LONGEST = 7000; // more than this is played faster
const LATE = 300; // so much that a busy browser lost is made up for
const GRACE = 2000; // a motion that is so late will never end
const SLIDE = 220;

let stage = null;
let queue = [];
let isRunning = false;
let by = 1; // how fast the queue is played
let due = 0; // when the last rest ends by plan
let seen = -1; // the version up to which motions were played
let turns = new Map(); // what the headline says while a seat plays
let alarm = 0;

const panel = () => document.getElementById("table-panel");
const version = () => Number(panel()?.dataset.version ?? -1);
const whole = (motions) => motions.reduce((sum, motion) => sum + length(motion), 0);
const mayMove = () => scale() && !document.hidden && document.getElementById("felt");

export const isMoving = () => stage !== null;

// How many milliseconds of motion are still to be played.
export const remaining = () => (stage ? Math.max(0, due - performance.now()) + whole(queue) * by : 0);

const listed = (what) => [...(document.getElementById("motions")?.content.querySelectorAll(`[data-${what}]`) ?? [])];

function read() {
  turns = new Map(listed("turn").map(({ dataset }) => [dataset.turn, dataset]));
  return listed("kind")
    .map((each) => ({ ...each.dataset, count: Number(each.dataset.count), face: each.firstElementChild }))
    .filter((motion) => Number(motion.version) > seen);
}

function watch(milliseconds) {
  clearTimeout(alarm);
  alarm = setTimeout(finish, milliseconds);
}

function prepare({ target, shouldSwap }) {
  if (target.id !== "table-panel" || !shouldSwap || stage) return;
  seen = version();
  if (!mayMove()) return;
  stage = new Stage();
  watch(GRACE);
}

// The page shows a match whose cards were just dealt: once, whatever is loaded again. Where this
// script came so late that the cards are seen already (moments.css), they stay.
function opens() {
  const found = panel();
  if (!found?.classList.contains("is-opening")) return false;
  const isUnseen = document.getElementById("felt")?.getAnimations().some(({ animationName }) => animationName === "opening");
  found.classList.remove("is-opening");
  if (scale() && !isUnseen) return false;
  const isNew = recall("dealt", "sessionStorage") !== found.dataset.update;
  store("dealt", found.dataset.update, "sessionStorage");
  return isNew && !stage;
}

function open() {
  seen = -1;
  if (!mayMove()) return;
  stage = new Stage({ isEmpty: true });
  watch(GRACE);
}

function begin() {
  if (opens()) open();
  const motions = read();
  seen = Math.max(seen, version());
  if (!stage) soundOf(motions);
  if (!stage || !mayMove() || !(motions.length || isRunning)) return finish();
  stage.lay();
  queue.push(...motions);
  by = scale() * Math.min(1, LONGEST / Math.max(1, whole(queue)));
  if (!isRunning) run(stage);
}

async function run(mine) {
  isRunning = true;
  due = performance.now();
  try {
    while (queue.length && !mine.isOver) {
      const motion = queue.shift();
      watch(length(motion) * by + GRACE);
      await perform(mine, motion);
    }
    if (!mine.isOver) finish();
  } catch (error) {
    if (mine.isOver) reportError(error);
    else fail(error);
  }
}

async function perform(mine, motion) {
  if (motion.kind === "rest") return rest(motion.milliseconds * by);
  const seat = motion.kind === "move" && motion.start.startsWith("seat-") && motion.start.slice(5);
  if (turns.has(seat)) mine.turn(seat, turns.get(seat));
  await play(mine, motion, by);
  if (stands(motion) && queue.length) await pause(STAND * by);
  if (motion.kind === "call" && queue.length) await pause(length(motion) * by);
  if (!["lay", "clear"].includes(motion.kind)) due = performance.now();
}

// Timers are late; the next rest is shorter then.
function rest(milliseconds) {
  const now = performance.now();
  due = Math.max(due, now - LATE) + milliseconds;
  return pause(due - now);
}

// All is shown as it is now.
export function finish() {
  const [struck, wasSeen] = [stage, isRunning];
  [stage, queue, isRunning] = [null, [], false];
  clearTimeout(alarm);
  struck?.strike();
  document.dispatchEvent(new CustomEvent("table:still"));
  try {
    if (wasSeen) slide(struck.places);
  } catch (error) {
    reportError(error); // only the cards of the hand do not slide
  }
}

// What went wrong is reported, and the server is asked whether this is the newest felt.
function fail(error) {
  reportError(error);
  document.dispatchEvent(new CustomEvent("table:fault"));
  finish();
}

// The cards that stay in the hand move together.
function slide(places) {
  for (const card of document.querySelectorAll("#felt > .slot-hand [data-card]")) {
    const [from, to] = [places.get(card.dataset.card), card.getBoundingClientRect()];
    const [x, y] = from ? [from.left - to.left, from.top - to.top] : [0, 0];
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    const steps = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    card.animate(steps, { duration: SLIDE * scale(), easing: "ease-out" });
  }
}

function attempt(step) {
  return ({ detail }) => {
    try {
      step(detail);
    } catch (error) {
      fail(error);
    }
  };
}

document.addEventListener("htmx:beforeSwap", attempt(prepare));
document.addEventListener("htmx:afterSwap", attempt((detail) => (detail.target.id === "table-panel" || panel()) && begin()));
document.addEventListener("htmx:swapError", () => stage && finish());
function stop() {
  clear();
  if (stage) finish();
}

document.addEventListener("visibilitychange", () => document.hidden && stop());
window.addEventListener("resize", stop);
if (panel()?.classList.contains("is-opening")) attempt(begin)({});
