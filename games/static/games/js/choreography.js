// Plays what happened, one act after the other: cards fly from their seats, captures are swept,
// hands are dealt. The page below shows the newest state at once, and a press ends all motion, so
// nothing waits for it.

import { scale } from "./pace.js";
import { sound } from "./sound.js";
import { Stage } from "./stage.js";

const FLY = 380;
const STAND = 400; // a card that was laid stands for so long
const DEAL = 90; // between two cards of a hand
const SWEEP = 460;
const CALL = 900;
const LONGEST = 7000; // more than this is played faster
const LATE = 300; // so much that a busy browser lost is made up for

let stage = null;
let queue = [];
let isRunning = false;
let due = 0; // when the last rest ends by plan
let seen = -1; // the version up to which acts were played
let places = new Map();

const panel = () => document.getElementById("table-panel");
const version = () => Number(panel()?.dataset.version ?? -1);
const factor = () => scale() * Math.min(1, LONGEST / Math.max(1, length(queue)));
const length = (acts) => acts.reduce((sum, act) => sum + time(act), 0);

function time({ kind, count, milliseconds }) {
  if (kind === "move") return count > 1 ? FLY + DEAL * count : FLY + STAND;
  return { sweep: SWEEP, call: CALL, lay: 0, clear: 0 }[kind] ?? Number(milliseconds);
}

// How many milliseconds of motion are still to be played.
export const remaining = () => (stage ? Math.max(0, due - performance.now()) + length(queue) * factor() : 0);

function read() {
  const told = [...(document.getElementById("acts")?.content.querySelectorAll("[data-kind]") ?? [])];
  return told
    .map((each) => ({ ...each.dataset, count: Number(each.dataset.count), face: each.firstElementChild }))
    .filter((act) => Number(act.version) > seen);
}

const back = () => document.getElementById("acts")?.content.querySelector("[data-back]").firstElementChild;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "table-panel" || !detail.shouldSwap) return;
  if (!stage) seen = version();
  places = new Map();
  for (const card of document.querySelectorAll("#felt > .slot [data-card]")) {
    if (card.dataset.card) places.set(card.dataset.card, card.getBoundingClientRect());
  }
  if (!stage && scale() && !document.hidden) stage = new Stage();
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id !== "table-panel" && !panel()) return;
  const acts = read();
  seen = Math.max(seen, version());
  if (!stage || !scale() || document.hidden || !document.getElementById("felt")) return end();
  if (!acts.length && !isRunning) return end();
  stage.lay();
  hideArriving(acts);
  queue.push(...acts);
  slide();
  if (!isRunning) run();
});

// Cards of the hand that an act will bring are not seen before it does.
function hideArriving(acts) {
  const own = document.querySelector(".slot-hand[data-seat], .slot-hand [data-seat]")?.dataset.seat;
  const isDealt = acts.some((act) => act.kind === "move" && act.to === `seat-${own}`);
  for (const card of document.querySelectorAll("#felt > .slot-hand .hand [data-card]")) {
    const isNew = card.dataset.card && !places.has(card.dataset.card);
    if (isDealt && isNew) card.classList.add("is-awaited");
  }
  for (const act of acts.filter((each) => each.to?.startsWith("board-") && stage.isReal(each.to))) {
    const code = act.face?.dataset.card ?? act.card;
    const lies = [...stage.find(act.to).querySelectorAll(`[data-card="${CSS.escape(code)}"]`)].pop();
    lies?.classList.add("is-awaited");
  }
}

// The cards that stay in the hand move together.
function slide() {
  for (const card of document.querySelectorAll("#felt > .slot-hand [data-card]")) {
    const from = places.get(card.dataset.card);
    if (!from || card.classList.contains("is-awaited")) continue;
    const to = card.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    const steps = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    card.animate(steps, { duration: 220 * scale(), easing: "ease-out" });
  }
}

async function run() {
  isRunning = true;
  due = performance.now();
  const mine = stage;
  while (queue.length && stage === mine) {
    const by = factor();
    const act = queue.shift();
    await play(act, by);
    if (["move", "sweep", "call"].includes(act.kind)) due = performance.now();
  }
  if (stage === mine) end();
}

// All is shown as it is now.
function end() {
  queue = [];
  isRunning = false;
  for (const each of stage?.element.getAnimations({ subtree: true }) ?? []) each.cancel();
  stage?.strike();
  stage = null;
  document.dispatchEvent(new CustomEvent("table:still"));
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

function play(act, by) {
  if (act.kind === "move") return move(act, by);
  if (act.kind === "sweep") return sweep(act, by);
  if (act.kind === "call") return call(act, by);
  if (act.kind === "lay") return lay(act);
  if (act.kind === "clear") return clear(act);
  return rest(act.milliseconds * by);
}

// Timers are late; the next rest is shorter then.
function rest(milliseconds) {
  const now = performance.now();
  due = Math.max(due, now - LATE) + milliseconds;
  return pause(due - now);
}

function lay(act) {
  const face = act.face ?? back();
  if (face) put(face, act);
}

function clear(act) {
  for (const card of stage.take(act.start)) card.remove();
}

// A card at its place on the stage, and this place.
function put(face, act) {
  const to = stage.place(act.to, act.face?.dataset.card ?? act.code);
  const ghost = stage.ghost(face, act.to);
  ghost.style.setProperty("--card", `${to.width}px`);
  ghost.style.left = `${to.x}px`;
  ghost.style.top = `${to.y}px`;
  return { ghost, to };
}

async function move(act, by) {
  if (act.count > 1) {
    const flights = [...Array(act.count).keys()].map((n) => pause(n * DEAL * by).then(() => flight(act, by)));
    await Promise.all(flights);
    return;
  }
  await flight(act, by);
  sound("lay");
  if (act.face) await pause(STAND * by);
}

async function flight(act, by) {
  const code = act.face?.dataset.card ?? act.code;
  const face = act.face ?? back();
  if (!face || !stage) return;
  const whole = stage.element.getBoundingClientRect();
  const was = code && places.get(code);
  const from = was && act.start.startsWith("seat-")
    ? { x: was.left - whole.left, y: was.top - whole.top, width: was.width }
    : stage.place(act.start);
  const { ghost, to } = put(face, act);
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
  const steps = [{ transform: start }, { transform: "none" }];
  await still(ghost.animate(steps, { duration: FLY * by, easing: "cubic-bezier(.2,.8,.3,1)" }));
  land(act, ghost);
}

function land(act, ghost) {
  if (!stage) return;
  const [kind] = act.to.split("-");
  if (kind === "seat" || stage.isReal(act.to)) {
    ghost.remove();
    stage.ghosts = stage.ghosts.filter((each) => each.element !== ghost);
    const waits = stage.isReal(act.to) && stage.find(act.to)?.querySelector(".is-awaited");
    waits?.classList.remove("is-awaited");
  }
}

async function sweep(act, by) {
  const cards = stage.take(act.start);
  const to = stage.place(act.to);
  const whole = stage.element.getBoundingClientRect();
  const flights = cards.map((card, at) => {
    const box = card.getBoundingClientRect();
    const [x, y] = [to.x + whole.left - box.left, to.y + whole.top - box.top];
    const steps = [{ opacity: 1 }, { opacity: 0.9, offset: 0.7 }, { transform: `translate(${x}px, ${y}px) scale(.35)`, opacity: 0 }];
    const timing = { duration: SWEEP * by, delay: Math.min(at, 8) * 18 * by, fill: "both", easing: "ease-in" };
    return still(card.animate(steps, timing)).then(() => {
      card.style.visibility = "hidden";
    });
  });
  await Promise.all(flights);
}

async function call(act, by) {
  const word = document.createElement("p");
  word.className = `call tone-${act.tone}`;
  word.textContent = act.word;
  stage.element.append(word);
  sound(act.tone);
  const steps = [
    { opacity: 0, transform: "translate(-50%, -50%) scale(.6)" },
    { opacity: 1, transform: "translate(-50%, -50%) scale(1.12)", offset: 0.2 },
    { opacity: 1, transform: "translate(-50%, -50%)", offset: 0.8 },
    { opacity: 0, transform: "translate(-50%, -50%)" },
  ];
  await still(word.animate(steps, { duration: CALL * by }));
  word.remove();
}

const still = (animation) => animation.finished.catch(() => {});

const isPress = ({ key }) => !["Tab", "Shift", "Control", "Alt", "Meta"].includes(key);
document.addEventListener("pointerdown", () => stage && end(), true);
document.addEventListener("keydown", (event) => stage && isPress(event) && end(), true);
document.addEventListener("visibilitychange", () => document.hidden && stage && end());
window.addEventListener("resize", () => stage && end());
