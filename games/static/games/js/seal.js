// Notes the seal of a match when its table is first seen, so that another one shown later is found.

import { recall, store } from "./storage.js";

const NAME = "cardroom:seals";
const KEPT = 200;

const all = () => JSON.parse(recall(NAME) ?? "{}");

export const noted = (match) => all()[match];

export function note(match, seal) {
  const seals = all();
  if (seals[match]) return;
  seals[match] = { seal, at: Date.now() };
  for (const old of Object.keys(seals).slice(0, -KEPT)) delete seals[old];
  store(NAME, JSON.stringify(seals));
}

function look() {
  for (const { dataset } of document.querySelectorAll("[data-seal][data-note]")) {
    note(dataset.match, dataset.seal);
  }
}

document.addEventListener("htmx:afterSwap", look);
look();
