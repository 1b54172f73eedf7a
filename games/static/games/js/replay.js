// Steps through a match without loading the page again: asks for the part that changes and puts it
// in the place of the old one. Every step is a link, so without this script the links are followed.

import { recall, store } from "./storage.js";

const KEPT = 300; // parts that were asked for and are kept
const bar = document.getElementById("replay-bar");
const play = document.getElementById("replay-play");
const pace = document.getElementById("replay-pace");
const scrub = bar.querySelector("input[name=ply]");
const parts = new Map();

let wanted = +scrub.value;
let query = new URLSearchParams(location.search);
let timer = 0;

const shown = () => document.getElementById("replay");
const last = () => +shown().dataset.last;
const within = (ply) => Math.max(0, Math.min(last(), ply));

function addressOf(ply) {
  const asked = new URLSearchParams(query);
  if (ply !== +query.get("ply")) asked.delete("answer"); // it was given at another ply
  asked.set("ply", ply);
  return `${location.pathname}?${asked}`;
}

function part(address) {
  if (!parts.has(address)) {
    const asked = fetch(address, { headers: { "Replay-Part": "1" } }).then((answer) => {
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      return answer.text();
    });
    asked.catch(() => parts.delete(address));
    parts.set(address, asked);
    if (parts.size > KEPT) parts.delete(parts.keys().next().value);
  }
  return parts.get(address);
}

async function show(ply) {
  wanted = within(ply);
  const address = addressOf(wanted);
  try {
    const text = await part(address);
    if (address !== addressOf(wanted)) return; // another one is wanted by now
    swap(text);
    history.replaceState(null, "", address);
  } catch {
    location.assign(address);
  }
}

function swap(text) {
  const old = shown();
  const focus = describe(document.activeElement, old);
  const read = document.createElement("template");
  read.innerHTML = text;
  old.replaceWith(read.content);
  settle();
  focus && shown().querySelector(focus)?.focus({ preventScroll: true });
  const said = shown().querySelector("[data-said]")?.dataset.said;
  const words = said ?? shown().querySelector(".replay-words span").textContent;
  if (!timer) document.getElementById("said").textContent = words;
}

// How to find in the new part what had the focus in the old one.
function describe(element, within) {
  if (!within.contains(element)) return null;
  if (element.closest(".replay-log")) return ".replay-log [aria-current] a";
  if ("answer" in element.dataset) return "#judged-verdict";
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.name ? `[name="${CSS.escape(element.name)}"]` : null;
}

function settle() {
  const ply = +shown().dataset.ply;
  scrub.max = last();
  if (document.activeElement !== scrub || timer) scrub.value = ply;
  const steps = { first: 0, back: ply - 1, on: ply + 1, last: last() };
  for (const link of bar.querySelectorAll("[data-step]")) {
    const to = within(steps[link.dataset.step]);
    link.href = addressOf(to);
    link.setAttribute("aria-disabled", to === ply);
  }
  const log = shown().querySelector(".replay-log");
  const current = log.querySelector("[aria-current]");
  if (current) log.scrollTop = current.offsetTop - log.offsetTop - log.clientHeight / 3;
  if (ply < last()) part(addressOf(ply + 1)).catch(() => {});
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  play.textContent = play.dataset.play;
}

function next() {
  timer = setTimeout(async () => {
    if (wanted >= last()) return stop();
    await show(wanted + 1);
    if (timer) next();
  }, +pace.value);
}

function start() {
  play.textContent = play.dataset.stop;
  if (wanted >= last()) show(0);
  next();
}

const plain = (event) =>
  !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

document.addEventListener("click", (event) => {
  const link = event.target.closest("#replay-bar [data-step], #replay [data-ply]");
  if (!link || link.tagName !== "A" || !plain(event)) return;
  event.preventDefault();
  stop();
  const asked = new URL(link.href).searchParams;
  if (link.closest(".judged")) query = asked; // to be asked or not, and the answer
  show(+asked.get("ply"));
});

document.addEventListener("change", (event) => {
  const look = event.target.closest(".replay-look");
  if (!look) return;
  query = new URLSearchParams(new FormData(look));
  parts.clear();
  show(wanted);
});

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  const mistakes = { ArrowLeft: "mistake-before", ArrowRight: "mistake-after" };
  if (event.shiftKey && event.key in mistakes) {
    event.preventDefault();
    return document.getElementById(mistakes[event.key])?.click();
  }
  const steps = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: last() };
  if (event.key in steps) {
    event.preventDefault();
    stop();
    show(steps[event.key]);
  } else if (event.key === " " && !event.target.closest("a, button")) {
    event.preventDefault();
    play.click();
  }
});

scrub.addEventListener("input", () => {
  stop();
  show(+scrub.value);
});
play.addEventListener("click", () => (timer ? stop() : start()));

const PACE = "cardroom:replay-pace";
pace.value = recall(PACE) ?? pace.value;
pace.addEventListener("change", () => store(PACE, pace.value));
bar.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
document.documentElement.classList.add("has-js");
for (const each of bar.querySelectorAll(".js-only")) each.hidden = false;
settle();
