// Says in words that the server cannot be reached, and when it can again.

const HEALED = 2500;
let isLost = false;
let timer = 0;

const line = () => document.getElementById("connection");

export const isCutOff = () => isLost;

export function say(sentence, milliseconds = 0) {
  clearTimeout(timer);
  line().textContent = sentence;
  line().hidden = !sentence;
  if (milliseconds) timer = setTimeout(() => say(""), milliseconds);
}

// Without a sentence of its own it leaves what was said before.
export function lost(sentence) {
  if (isLost && !sentence) return;
  isLost = true;
  document.body.classList.add("is-cut-off");
  say(sentence ?? "Connection lost. Trying again…");
}

export function healed(sentence = "Connected again.") {
  if (!isLost) return;
  isLost = false;
  document.body.classList.remove("is-cut-off");
  say(sentence, HEALED);
}
