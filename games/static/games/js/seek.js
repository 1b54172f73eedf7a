// Who waits for a match asks now and then how many wait; that is a sign of life too. The match opens
// as soon as it is there (paired.js, or the answer itself). Seconds are counted here.

const EVERY = 5000;
let asking = false;

async function ask() {
  const shown = document.getElementById("seek");
  if (asking || !shown?.dataset.update) return;
  asking = true;
  const to = { source: shown, target: shown, swap: "outerHTML", select: "#seek" };
  await window.htmx.ajax("GET", shown.dataset.update, to).catch(() => {});
  asking = false;
}

const two = (number) => String(number).padStart(2, "0");

function count() {
  const clock = document.querySelector("#seek [data-since]");
  if (!clock) return;
  const seconds = Math.max(0, Math.round(Date.now() / 1000 - Number(clock.dataset.since)));
  clock.textContent = `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

// The computer is played here; without this script in another tab, so that this page waits on.
for (const form of document.querySelectorAll("form[target=_blank]")) form.removeAttribute("target");

document.addEventListener("live:lobby", ask);
document.addEventListener("visibilitychange", ask);
setInterval(ask, EVERY);
setInterval(count, 1000);
count();
