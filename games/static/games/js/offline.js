// Of the two pages that the worker shows without a connection: the first page of the app, and the
// last table. It comes back by itself with the connection.

const cutOff = document.getElementById("cut-off");

window.addEventListener("online", () => location.reload());

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
  lastTable();
}
