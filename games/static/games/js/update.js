// Keeps the table panel up to date. The stream says that there is a newer version, and the panel is
// asked for; without a stream it is asked for again and again: often for a computer, slower for
// people, slowest in a background tab and, for a rematch that somebody wants, where the match is
// over. The answer is the panel, or 204. A panel is never replaced by an older one.
//
// A move that got no answer waits, and its card shows it. As soon as the server answers again and the
// table stands as it stood, it is sent once more, with the key that it had: whether the first came
// through or not, it is played once. Where the table moved on it is dropped, and that is said.

import { healed, isCutOff, lost, say } from "./connection.js";
import { isLive } from "./live.js";
import { isHeld } from "./press.js";

const EVERY = { bots: 400, others: 2000, you: 10000 };
const AFTER_THE_END = 10000; // whether somebody wants a rematch
const IN_BACKGROUND = 15000;
const AFTER_A_FAULT = 1000;
const SLOW = { get: 1100, post: 2000 }; // until it is said that no answer comes
const TOO_LONG = 10000;
const ELSEWHERE = 5000;
const STAYS_OLDER = 6000; // the stream looks for itself every 2 s

let timer = 0;
let sending = false;
let asking = null; // the question that is under way; a move that is sent takes its place
let heard = null; // the newest state that the stream told of
let unsure = false; // a move was sent and no answer came
let held = null; // the move that waits: its form, its button, its key, the version it is for
let slow = { xhr: null, timer: 0 };

const panel = () => document.getElementById("table-panel");
const shownNow = () => ({ version: +panel().dataset.version, changed: +panel().dataset.changed });
const isOlder = (one, other) =>
  one.version < other.version || (one.version === other.version && one.changed < other.changed);

function usualPause(waitsFor) {
  return EVERY[waitsFor] ?? (panel().querySelector("[data-people]") ? AFTER_THE_END : undefined);
}

function wait(milliseconds) {
  clearTimeout(timer);
  if (!panel() || sending || asking) return;
  if (heard && isOlder(shownNow(), heard) && !isHeld(panel())) return void (timer = setTimeout(ask, 0));
  if (isCutOff()) return void (timer = setTimeout(ask, milliseconds ?? AFTER_A_FAULT));
  const every = isLive() ? undefined : usualPause(panel().dataset.waitsFor);
  const pause = milliseconds ?? (every && document.hidden ? IN_BACKGROUND : every);
  if (pause !== undefined) timer = setTimeout(ask, pause);
}

async function ask() {
  const shown = panel();
  if (!shown || sending || asking) return;
  const mine = (asking = {});
  let answered = false;
  const note = (event) => {
    const { xhr, requestConfig } = event.detail;
    answered ||= requestConfig.elt === shown && xhr.status > 0 && xhr.status < 500;
  };
  document.addEventListener("htmx:afterRequest", note);
  const address = `${shown.dataset.update}?shown=${encodeURIComponent(shown.dataset.tag)}`;
  const before = shownNow();
  const to = { source: shown, target: shown, swap: "outerHTML" };
  await window.htmx.ajax("GET", address, to).catch(() => {});
  document.removeEventListener("htmx:afterRequest", note);
  if (asking !== mine) return;
  asking = null;
  if (!answered) {
    lost();
    return wait(AFTER_A_FAULT);
  }
  if (heard && panel() === shown && !isHeld(shown)) heard = null; // nothing new after all
  found(before);
  if (held) return sendAgain();
  wait();
}

function sendAgain() {
  const { form, button, version } = held;
  if (form.isConnected && version === shownNow().version) form.requestSubmit(button);
  else drop();
  wait();
}

function drop() {
  held?.button?.classList.remove("is-sent", "is-waiting");
  held = null;
}

// By this key the server knows a move that it has had already.
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
const isMove = (form) => form?.matches?.("#felt, #at-once");

document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { elt, verb, triggeringEvent, formData } = detail;
  if (verb !== "post" || !isMove(elt)) return;
  const button = triggeringEvent?.submitter ?? null;
  const isAgain = held?.form === elt && held.button === button && held.again;
  if (!isAgain) drop();
  held ??= { form: elt, button, version: shownNow().version, key: newKey() };
  held.again = false;
  formData.set("key", held.key);
});

// What an answer shows that this page did not do.
function found(before) {
  const { version, moved } = panel().dataset;
  const elsewhere = +moved > before.version && +version > before.version;
  const isOvertaken = held && +version > held.version && !elsewhere;
  if (held && +version > held.version) drop();
  healed(isOvertaken ? "overtaken" : unsure && elsewhere ? "played" : undefined);
  if (elsewhere && !unsure) say("elsewhere", ELSEWHERE);
  unsure = false;
}

const isSent = (event) => event.detail.requestConfig?.verb === "post";

// A second click on the same page would be a move at a version that is gone.
document.addEventListener("htmx:confirm", (event) => {
  if (sending && event.detail.verb === "post") event.preventDefault();
});

const cardsBack = () => {
  for (const each of document.querySelectorAll(".is-sent, .is-waiting")) each.classList.remove("is-sent", "is-waiting");
};

document.addEventListener("htmx:beforeRequest", (event) => {
  const { xhr, requestConfig } = event.detail;
  clearTimeout(slow.timer);
  slow = { xhr, timer: setTimeout(noAnswer, SLOW[requestConfig.verb] ?? SLOW.post) };
  xhr.timeout = TOO_LONG;
  if (!isSent(event)) return;
  sending = true;
  asking = null;
  clearTimeout(timer);
  requestConfig.triggeringEvent?.submitter?.classList.add("is-sent");
});

function noAnswer() {
  if (sending && held) held.button?.classList.add("is-waiting");
  lost(sending ? "unanswered" : undefined);
}

document.addEventListener("htmx:afterRequest", (event) => {
  if (slow.xhr === event.detail.xhr) clearTimeout(slow.timer);
  if (!isSent(event)) return;
  sending = false;
  const { status } = event.detail.xhr;
  const isCut = status === 0 || [502, 503, 504].includes(status);
  if (isCut && held) {
    held.again = true;
    held.button?.classList.add("is-sent", "is-waiting");
  } else {
    drop();
    cardsBack();
  }
  if (status === 0 || status >= 500) {
    unsure = true;
    lost("unsent");
    return wait(AFTER_A_FAULT);
  }
  healed();
  wait();
});

// Nothing older than what is shown is shown. While a move is under way its answer alone is: it takes
// the place of the form that was sent.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr, requestConfig } = event.detail;
  if (target.id !== "table-panel") return;
  if (sending && requestConfig.verb === "get") event.detail.shouldSwap = false;
  const [version, changed] = (xhr.getResponseHeader("Table-Version") ?? "").split("-");
  if (changed && isOlder({ version: +version, changed: +changed }, shownNow())) {
    event.detail.shouldSwap = false;
  }
});

// A stream that goes on telling of an older table than is shown: the database lost what came after.
let lostMoves = 0;
document.addEventListener("live:table", ({ detail }) => {
  heard = detail;
  clearTimeout(lostMoves);
  lostMoves = setTimeout(() => {
    if (isLive() && isOlder(detail, shownNow())) location.reload();
  }, STAYS_OLDER);
  wait();
});
// Somebody wants a rematch of the match that is over, or does not. Who asked for one stays at this
// table, and is taken to the next match when it begins; so is a phone beside a screen, whoever asked.
let asked = false;
let isPhone = document.querySelector("[data-whole-table]") !== null;
function follow() {
  const { next, asked: wants } = panel()?.dataset ?? {};
  if (asked && next) location.assign(next);
  asked = wants !== undefined || (isPhone && !next);
}
document.addEventListener("live:rematch", () => wait(0));
document.addEventListener("htmx:afterSwap", follow);
// Who withdraws too late is told so here, and is taken nowhere.
document.addEventListener("submit", ({ target }) => {
  if (target.matches("form[action$='/no-rematch']")) asked = isPhone = false;
}, true);
follow();
document.addEventListener("table:fault", () => wait(0));
// When the stream is gone, is the server? When it is back, is the server, too?
document.addEventListener("live:state", ({ detail }) => wait(detail.isUp && !isCutOff() ? undefined : 0));
document.addEventListener("htmx:afterSwap", () => wait());
document.addEventListener("visibilitychange", () => wait(document.hidden ? undefined : 50));
window.addEventListener("online", () => wait(50));
window.addEventListener("offline", () => lost());
wait();
