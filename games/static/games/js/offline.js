// Of the two pages that the worker shows without a connection: the first page of the app, and the
// last table. It comes back by itself with the connection.

const STEADY = 500; // a connection that is lost again sooner is none yet
const cutOff = document.getElementById("cut-off");

let again = 0;

window.addEventListener("online", () => {
  clearTimeout(again);
  again = setTimeout(() => location.reload(), STEADY);
});
window.addEventListener("offline", () => clearTimeout(again));
// The way that the reader has just taken is not cut short.
document.addEventListener("click", ({ target }) => target.closest("a") && clearTimeout(again));

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
