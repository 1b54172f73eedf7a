// Opens the match into which the reader was paired, in the tab that they look at or wait in, once.
// A match that they play meanwhile is kept.

const KEY = "cardroom:paired";
let match = null;

function isOpened() {
  try {
    return localStorage.getItem(KEY) === match;
  } catch {
    return false; // a browser that keeps nothing
  }
}

function note() {
  try {
    localStorage.setItem(KEY, match);
  } catch {
    // a browser that keeps nothing
  }
}

function open() {
  if (!match) return;
  const isHere = location.pathname.endsWith(match);
  const waitsHere = document.getElementById("seek") !== null;
  if (isOpened() && !waitsHere) return;
  if (document.hidden && !waitsHere && !isHere) return;
  note();
  if (!isHere) location.assign(`/matches/${match}`);
}

document.addEventListener("live:paired", ({ detail }) => {
  match = detail.match;
  open();
});
document.addEventListener("visibilitychange", open);
