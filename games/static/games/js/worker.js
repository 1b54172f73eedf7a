// The service worker. VERSION, SHELL, FILES and ICON stand before this (games/web/app.py).
//
// It keeps two things. The first page of the app, which holds nothing of a person, is shown at once
// when the app is opened and in place of pages while there is no connection. The last table of one
// account, which the page itself hands over as it stands, is shown without a connection, to look at.
// No answer of the server is ever kept here: pages say `no-store` or `no-cache`, and that holds. The
// table goes when anybody signs in or out, with another account, and after a day.

const APP = `app-${VERSION}`;
const TABLE = "table";
const STATE = "/app/state"; // a name in the cache, no address: whose table it is, in which language
const MOST_HOURS = 24;
const SIGNING = ["/accounts/login/", "/accounts/signup/", "/accounts/logout/", "/accounts/delete/"];
const NOT_OURS = ["/admin/", "/api/", "/docs", "/oauth/"];
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const offlinePages = new Map(); // the page's id, and the cache that its files come from
let queue = Promise.resolve(); // one change of what is kept after the other

const inTurn = (change) => (queue = queue.then(change, change));

self.addEventListener("install", (event) => event.waitUntil(keepShell()));

async function keepShell() {
  const cache = await caches.open(APP);
  await cache.addAll([SHELL, ...FILES].map((path) => new Request(path, { cache: "reload" })));
}

// It waits until no page of the one before is open, or until a page says that no table is.
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith("app-") && name !== APP) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function state() {
  const kept = await (await caches.open(TABLE)).match(STATE);
  return kept ? kept.json() : { account: "", language: "" };
}

const setState = async (now) => (await caches.open(TABLE)).put(STATE, Response.json(now));

async function forget() {
  await caches.delete(TABLE);
  await self.navigator.clearAppBadge?.().catch(() => {});
}

self.addEventListener("message", (event) => {
  const { data } = event;
  if (data?.type === "page") event.waitUntil(inTurn(() => seen(data)));
  if (data?.type === "keep") event.waitUntil(inTurn(() => keep(data)));
  if (data?.type === "take over") event.waitUntil(makeWay());
});

async function seen({ account, language }) {
  const before = await state();
  if (before.account !== account) await forget();
  if (before.language && before.language !== language) await keepShell();
  await setState({ account, language });
}

// Only of the account of the newest page: a tab of somebody who signed out keeps nothing.
async function keep({ account, path, html, files }) {
  const now = await state();
  if (!account || now.account !== account || !path.startsWith("/matches/")) return;
  const cache = await caches.open(TABLE);
  const wanted = new Set([STATE, path, ...files]);
  for (const request of await cache.keys())
    if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
  const headers = { ...HEADERS, "kept-at": String(Date.now()), "kept-for": account };
  await cache.put(path, new Response(html, { headers }));
  for (const file of files)
    if (!(await cache.match(file))) await cache.add(file).catch(() => {});
}

async function makeWay() {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open.some(({ url }) => new URL(url).pathname.startsWith("/matches/"))) await self.skipWaiting();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode !== "navigate") {
    const cache = offlinePages.get(event.clientId);
    if (cache) event.respondWith(file(cache, request));
  } else if (request.method !== "GET") {
    if (SIGNING.includes(url.pathname)) event.waitUntil(inTurn(forget));
  } else if (!NOT_OURS.some((path) => url.pathname.startsWith(path))) {
    event.respondWith(page(event, url.pathname));
  }
});

async function page(event, path) {
  if (path === SHELL) return shell(event);
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await lastTable(event, path)) ?? shell(event, { cutOff: true });
  }
}

async function shell(event, { cutOff = false } = {}) {
  const cache = await caches.open(APP);
  const kept = await cache.match(SHELL, { ignoreVary: true });
  if (!kept) return fetch(event.request);
  offlinePages.set(event.resultingClientId, APP);
  if (!cutOff) return kept;
  const html = (await kept.text())
    .replace('id="opening"', 'id="opening" hidden')
    .replace('id="cut-off" class="card narrow" hidden', 'id="cut-off" class="card narrow"');
  return new Response(html, { headers: HEADERS });
}

async function lastTable(event, path) {
  if (!path.startsWith("/matches/") || !(await caches.has(TABLE))) return undefined;
  const kept = await (await caches.open(TABLE)).match(path);
  if (!kept) return undefined;
  const { account } = await state();
  const old = Date.now() - Number(kept.headers.get("kept-at")) > MOST_HOURS * 3600000;
  if (old || !account || kept.headers.get("kept-for") !== account) {
    await inTurn(forget);
    return undefined;
  }
  offlinePages.set(event.resultingClientId, TABLE);
  return kept;
}

async function file(name, request) {
  const kept = await (await caches.open(name)).match(request, { ignoreVary: true });
  return kept ?? fetch(request);
}

// A message as the service sends it: {title, body, url, tag}, nothing secret.
self.addEventListener("push", (event) => {
  let news = {};
  try {
    news = event.data?.json() ?? {};
  } catch {
    // not ours; browsers want something to be shown all the same
  }
  const { title = NAME, body = "", url = "/", tag = "cardroom" } = news;
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: ICON, badge: ICON, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.url));
});

async function show(address) {
  let url = new URL(address ?? "/", location.origin);
  if (url.origin !== location.origin) url = new URL("/", location.origin);
  const open = await self.clients.matchAll({ type: "window" });
  const there = open.find((client) => new URL(client.url).pathname === url.pathname);
  return there ? there.focus() : self.clients.openWindow(url.href);
}
