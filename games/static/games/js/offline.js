// Of the two pages that the worker shows without a connection: the first page of the app, and the
// last table. It comes back by itself with the connection.

const STEADY = 500; // a connection that is lost again sooner is none yet
const ANOTHER_TRY = 3000; // the browser is connected, and the service may not be reached yet
const cutOff = document.getElementById("cut-off");

let again = 0;

function comeBack(after) {
  clearTimeout(again);
  const own = (again = setTimeout(async () => {
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
    if (own !== again) return; // the reader has left, or the connection has, while it was asked
    if (answer?.ok) location.reload();
    else if (navigator.onLine) comeBack(ANOTHER_TRY);
  }, after));
}

function stay() {
  clearTimeout(again);
  again = 0;
}

window.addEventListener("online", () => comeBack(STEADY));
window.addEventListener("offline", stay);
if (navigator.onLine && !cutOff?.hidden) comeBack(ANOTHER_TRY);
// The way that the reader has just taken is not cut short.
document.addEventListener("click", ({ target }) => target.closest("a") && stay());

async function lastTable() {
  const link = document.getElementById("kept");
  if (!link || !(await caches.has("table"))) return;
  const kept = await (await caches.open("table")).keys();
  const table = kept.map(({ url }) => new URL(url).pathname).find((path) => path.startsWith("/matches/"));
  if (!table) return;
  link.querySelector("a").href = table;
  link.hidden = false;
}

if (cutOff?.hidden) location.replace("/");
else if (cutOff) {
  document.getElementById("again").href = location.pathname === "/app" ? "/" : location.href;
  lastTable().catch(() => {}); // a browser that keeps nothing
}
