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
  const address = `/matches/${match}`;
  store(KEY, match);
  match = null; // who comes back to this page is not sent away again
  if (!isHere) location.assign(address);
}

document.addEventListener("live:paired", ({ detail }) => {
  match = detail.match;
  open();
});
document.addEventListener("visibilitychange", open);
