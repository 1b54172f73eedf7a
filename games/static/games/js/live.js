// One stream of events a tab: `live:table`, `live:waiting`, `live:lobby`, `live:paired`,
// `live:rematch`, `live:watchers`, `live:said`, `live:friends`, `live:people`, `live:tournament` on document, and
// `live:state` when it comes up or goes down. Pages work without it: they ask now and then.
//
// A browser opens few connections to one host. So a hidden tab closes its stream after a minute, or
// at once when another tab opens one. Where somebody waits for a match it stays open: that is how
// the service knows that they are there.

const address = document.body.dataset.stream;
const HIDDEN = 60000;
const QUIET = 1700; // the server speaks every second
const AGAIN = 5000; // after a refusal; a lost connection the browser opens again by itself
const KINDS = ["table", "waiting", "lobby", "paired", "rematch", "watchers", "said", "friends", "people", "tournament", "ping"];

let source = null;
let isUp = false;
let quiet = 0;
let later = 0;

const others = "BroadcastChannel" in window ? new BroadcastChannel("cardroom:streams") : null;
const emit = (name, detail) =>
  document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));

export const isLive = () => isUp;

function turn(up) {
  if (isUp === up) return;
  isUp = up;
  document.body.dataset.live = up ? "up" : "down";
  emit("state", { isUp });
}

function listen() {
  clearTimeout(quiet);
  quiet = setTimeout(restart, QUIET);
  turn(true);
}

// Nothing was heard for too long: the connection may be gone without a word.
function restart() {
  close();
  open();
}

export function open() {
  clearTimeout(later);
  if (source || !address || !window.EventSource) return;
  source = new EventSource(address);
  for (const kind of KINDS) {
    source.addEventListener(kind, (event) => {
      listen();
      if (kind !== "ping") emit(kind, JSON.parse(event.data));
    });
  }
  source.addEventListener("error", () => {
    clearTimeout(quiet);
    turn(false);
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    later = setTimeout(open, AGAIN);
  });
  others?.postMessage("opened");
}

function close() {
  clearTimeout(quiet);
  clearTimeout(later);
  source?.close();
  source = null;
  turn(false);
}

let rest = 0;

function seen() {
  clearTimeout(rest);
  if (!document.hidden) open();
  else if (!document.getElementById("seek")) rest = setTimeout(close, HIDDEN);
}

others?.addEventListener("message", () => document.hidden && close());
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", (event) => event.persisted && seen());
window.addEventListener("offline", close);

// How many matches wait for the reader, besides the one that the page shows.
document.addEventListener("live:waiting", ({ detail }) => {
  const mark = document.getElementById("waiting");
  if (!mark) return;
  const here = location.pathname.split("/").pop();
  const waiting = new Set(Object.values(detail).flat());
  waiting.delete(here);
  mark.hidden = !waiting.size;
  mark.textContent = waiting.size;
  mark.title = mark.dataset.words;
  inTitle();
});

// The same before the title, where the tab shows it.
function inTitle() {
  const mark = document.getElementById("waiting");
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = mark && !mark.hidden ? `(${mark.textContent}) ${title}` : title;
}

document.addEventListener("htmx:afterSettle", inTitle);

// Somebody asks for a friendship, or has accepted one.
document.addEventListener("live:friends", () => {
  if (document.getElementById("friends-list")) return; // they are shown already
  document.getElementById("friends-mark")?.removeAttribute("hidden");
});

// Not before the page's other scripts listen: what a stream says first it says once.
document.addEventListener("DOMContentLoaded", () => {
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("online", seen);
  if (!document.hidden) open();
});
