// Opens the match into which the reader was paired, in the tab that they look at or wait in, once.
// A match that they play meanwhile is kept.

import { recall, store } from "./storage.js";

const KEY = "cardroom:paired";
let match = null;

function open() {
  if (!match) return;
  const isHere = location.pathname.endsWith(match);
  const waitsHere = document.getElementById("seek") !== null;
  if (recall(KEY) === match && !waitsHere) return;
  if (document.hidden && !waitsHere && !isHere) return;
  store(KEY, match);
  if (!isHere) location.assign(`/matches/${match}`);
}

document.addEventListener("live:paired", ({ detail }) => {
  match = detail.match;
  open();
});
document.addEventListener("visibilitychange", open);
