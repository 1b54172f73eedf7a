// Keeps the lists of requests, friends and people online up to date: when the stream says that one
// changed, and now and then for the matches that one may watch. It waits while a button of the lists
// has the focus: nobody presses one that has just become another.

import { isLive } from "./live.js";

const EVERY = 15000;
const AT_LEAST = 60000;
const LISTS = "#friends-asking, #friends-list, #friends-sent";
let asking = false;

const isUsed = () => document.activeElement?.closest(LISTS);

async function ask() {
  const shown = document.getElementById("friends-list");
  if (!shown || asking || document.hidden) return;
  if (isUsed()) {
    document.activeElement.addEventListener("blur", () => setTimeout(ask), { once: true });
    return;
  }
  asking = true;
  const to = { source: shown, target: shown, swap: "outerHTML", select: "#friends-list" };
  await window.htmx.ajax("GET", shown.dataset.update, to).catch(() => {});
  asking = false;
}

document.addEventListener("live:people", ask);
document.addEventListener("live:state", ({ detail }) => detail.isUp && ask());
document.addEventListener("visibilitychange", ask);
setInterval(() => isLive() || ask(), EVERY);
setInterval(ask, AT_LEAST);
