// Cardroom as an app: the worker that starts it, the last table for times without a connection, and
// the number on its icon. The site works without all of them.

const PAUSE = 2500; // cards have come to rest
// Nothing that runs, moves or proves that a form is ours.
const LEFT_OUT = "script, noscript, template, .stage, [name=csrfmiddlewaretoken], meta[name=htmx-config], link[rel=preload]";
const { account = "", offline } = document.body.dataset;
const atTable = location.pathname.startsWith("/matches/");

let worker = null;
let later = 0;

// A page that the browser takes from its history may be that of an account that has signed out.
const isFresh = () => performance.getEntriesByType("navigation")[0]?.type !== "back_forward";

// The newest worker may be there already, or be found by this page and come to wait later.
function letTakeOver(registration) {
  const ask = () => registration.waiting?.postMessage({ type: "take over" });
  ask();
  registration.installing?.addEventListener("statechange", ask);
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", ask));
}

async function begin() {
  const registration = await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  worker = (await navigator.serviceWorker.ready).active;
  if (isFresh()) {
    worker.postMessage({ type: "page", account, language: document.documentElement.lang });
    rest();
  }
  if (!atTable) letTakeOver(registration); // last: a message would keep the one before at work
}

function keep() {
  const panel = document.getElementById("table-panel");
  if (!worker || document.body.dataset.live !== "up" || !panel?.hasAttribute("data-keeps")) return;
  const page = document.documentElement.cloneNode(true);
  for (const each of page.querySelectorAll(LEFT_OUT)) each.remove();
  const body = page.querySelector("body");
  delete body.dataset.stream;
  delete body.dataset.account;
  const main = page.querySelector("main");
  main.classList.add("is-offline"); // not inert: a screen reader may look at it too
  for (const each of main.querySelectorAll("button, input, select, textarea")) each.setAttribute("disabled", "");
  const words = page.querySelector("#offline");
  words.hidden = false;
  words.append(` ${new Date().toLocaleString(document.documentElement.lang)}`);
  const script = Object.assign(document.createElement("script"), { type: "module", src: offline });
  page.querySelector("head").append(script);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded.filter(({ origin, pathname }) =>
    origin === location.origin && pathname.startsWith("/static/") && !pathname.endsWith(".js"));
  worker.postMessage({
    type: "keep",
    account,
    path: location.pathname,
    html: `<!doctype html>${page.outerHTML}`,
    files: [...new Set([offline, ...files.map(({ pathname }) => pathname)])],
  });
}

function rest() {
  clearTimeout(later);
  if (atTable) later = setTimeout(keep, PAUSE);
}

document.addEventListener("htmx:afterSettle", rest);
document.addEventListener("live:state", rest);

// As many matches as the mark beside the lobby counts.
document.addEventListener("live:waiting", () => {
  const mark = document.getElementById("waiting");
  navigator.setAppBadge?.(mark && !mark.hidden ? Number(mark.textContent) : 0).catch(() => {});
});

if (!account) navigator.clearAppBadge?.().catch(() => {});
if ("serviceWorker" in navigator && isSecureContext) window.addEventListener("load", () => begin().catch(() => {}));
