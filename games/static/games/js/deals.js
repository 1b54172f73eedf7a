// Checks in the browser that every deck of a match is what its seal promised: SHA-256 of the secret
// number is the seal, and each deck is dealt again from that number (FORMAT.md, Sealed shuffles).

import { noted } from "./seal.js";

const WORDS = 2 ** 32;
const SUITS = "CDHS";
const RANKS = "23456789TJQKA";
const CODES = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).concat("X1", "X2");

const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, "0")).join("");
const sealOf = async (seed) => hex(await crypto.subtle.digest("SHA-256", bytes(seed)));
const SECRET = 32; // bytes; a mirrored match has salt behind them, which deals no card
const keyOf = (seed) =>
  crypto.subtle.importKey("raw", bytes(seed).slice(0, SECRET), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

// The k-th shuffle of a seed: Fisher-Yates with the words of HMAC-SHA256(seed, "k:j").
async function shuffled(key, k, pack) {
  const deck = [...pack];
  let [words, at, j] = [null, 8, 0];
  const word = async () => {
    if (at === 8) {
      const message = new TextEncoder().encode(`${k}:${j++}`);
      [words, at] = [new DataView(await crypto.subtle.sign("HMAC", key, message)), 0];
    }
    return words.getUint32(4 * at++);
  };
  const below = async (n) => {
    const limit = WORDS - (WORDS % n);
    for (;;) {
      const drawn = await word();
      if (drawn < limit) return drawn % n;
    }
  };
  for (let i = deck.length - 1; i > 0; i--) {
    const other = await below(i + 1);
    [deck[i], deck[other]] = [deck[other], deck[i]];
  }
  return deck;
}

async function dealt(step, keys) {
  const deck = await shuffled(keys[step.seed], step.k, step.pack.split(" "));
  for (const { seed, k, positions } of step.again) {
    const cards = await shuffled(keys[seed], k, positions.map((at) => deck[at]));
    positions.forEach((at, n) => (deck[at] = cards[n]));
  }
  return deck;
}

// A whole pack of playing cards lies in its fixed order before it is shuffled.
function isInOrder(pack) {
  const places = pack.map((code) => CODES.indexOf(code));
  const isWhole = [36, 52, 54].includes(pack.length) && !places.includes(-1);
  return !isWhole || places.every((place, n) => !n || places[n - 1] < place);
}

const verdict = document.getElementById("verdict");
const fill = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);
const letters = JSON.parse(verdict?.dataset.letters ?? "{}");
const pretty = (code) =>
  CODES.indexOf(code) < 0 || code[0] === "X"
    ? code
    : (letters[code[0]] ?? code[0].replace("T", "10")) + { C: "♣", D: "♦", H: "♥", S: "♠" }[code[1]];

function conclude(kind, values = {}) {
  verdict.textContent = fill(verdict.dataset[kind], values);
  const isBad = kind.startsWith("bad");
  verdict.classList.toggle("is-bad", isBad);
  verdict.setAttribute("role", isBad ? "alert" : "status");
  verdict.dataset.verdict = kind;
}

function mark(number, isGood, words) {
  const state = document.querySelector(`[data-deal="${number}"] .deal-state`);
  state.textContent = `${isGood ? "✓" : isGood === null ? "–" : "✗"} ${words}`;
  state.classList.toggle("is-bad", isGood === false);
}

// The record and those that its match was loaded from.
function withAncestors(record) {
  const found = [record];
  while (found.at(-1).loaded_from) found.push(found.at(-1).loaded_from);
  return found;
}

// What is wrong with a deck, in words; nothing if it is as sealed.
async function faultOf(step, listed, keys) {
  const sealed = await dealt(step, keys);
  const place = listed.findIndex((card, n) => card !== sealed[n]);
  if (listed.length !== sealed.length || !isInOrder(step.pack.split(" "))) return verdict.dataset.deckOther;
  if (place < 0) return null;
  const values = { place: place + 1, is: pretty(listed[place]), sealed: pretty(sealed[place]) };
  return fill(verdict.dataset.deckBad, values);
}

async function check() {
  if (!window.crypto?.subtle) return conclude("insecure");
  conclude("checking");
  const answer = await fetch(verdict.dataset.record);
  const record = await answer.json();
  const matches = withAncestors(record);
  const keys = [];
  for (const { seed, commitment } of matches) {
    if (seed && (await sealOf(seed)) !== commitment) return conclude("badSeal");
    keys.push(seed ? await keyOf(seed) : null);
  }
  if (record.commitment !== document.getElementById("seal").dataset.seal) return conclude("badSeal");
  await compare(record, keys);
}

async function compare(record, keys) {
  const steps = JSON.parse(document.getElementById("deals-steps").textContent);
  const decks = record.rounds.flatMap((round) => round.shuffles);
  let [bad, good, left] = [Math.abs(decks.length - steps.length), 0, 0];
  for (const [number, step] of steps.entries()) {
    if (step.seed === null || !decks[number]) {
      mark(number, null, verdict.dataset.deckLeft);
      left += 1;
      continue;
    }
    const fault = await faultOf(step, decks[number].split(" "), keys);
    mark(number, !fault, fault ?? verdict.dataset.deckGood);
    fault ? bad++ : good++;
  }
  if (bad) return conclude("bad", { count: bad });
  conclude(left ? "some" : "good", { count: good, left });
}

function compareWithNote() {
  const { match, seal } = document.getElementById("seal").dataset;
  const words = document.getElementById("seal-noted");
  const known = noted(match);
  if (!known) return;
  const values = { date: new Date(known.at).toLocaleString(document.documentElement.lang), seal: known.seal };
  words.textContent = fill(words.dataset[known.seal === seal ? "same" : "other"], values);
  words.classList.toggle("is-bad", known.seal !== seal);
  words.hidden = false;
}

compareWithNote();
if (verdict) check().catch(() => conclude("failed"));
