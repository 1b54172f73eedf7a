// Keeps the running table of the front page up to date while somebody looks at it.

const EVERY = 4000;
let asking = false;

async function ask() {
  const shown = document.getElementById("featured");
  if (asking || document.hidden || !shown) return;
  asking = true;
  const address = `${shown.dataset.update}?shown=${encodeURIComponent(shown.dataset.tag)}`;
  const to = { source: shown, target: shown, swap: "outerHTML" };
  await window.htmx.ajax("GET", address, to).catch(() => {});
  asking = false;
}

document.addEventListener("visibilitychange", ask);
setInterval(ask, EVERY);
