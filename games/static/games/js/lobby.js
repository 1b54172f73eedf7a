// Shows the lobby as it is now: when the stream says that it changed, without it now and then.

import { isLive } from "./live.js";

const EVERY = 10000;
const AT_LEAST = 30000; // what is over, and how many watch, is told by no message
let asking = false;

async function ask() {
  const shown = document.getElementById("lobby");
  if (asking || document.hidden) return;
  asking = true;
  const to = { source: shown, target: shown, swap: "outerHTML", select: "#lobby" };
  await window.htmx.ajax("GET", shown.dataset.update, to).catch(() => {});
  asking = false;
}

document.addEventListener("live:lobby", ask);
document.addEventListener("live:waiting", ask);
document.addEventListener("live:state", ({ detail }) => detail.isUp && ask());
document.addEventListener("visibilitychange", ask);
setInterval(() => isLive() || ask(), EVERY);
setInterval(ask, AT_LEAST);
