// Says in words that the server cannot be reached, and when it can again. The sentences are data
// of the line itself, in the reader's language: `data-lost`, `data-healed` …

const HEALED = 2500;
let isLost = false;
let timer = 0;

const line = () => document.getElementById("connection");

export const isCutOff = () => isLost;

// A sentence by its name; nothing for none.
const sentence = (name) => (name ? line().dataset[name] : "");

export function say(name, milliseconds = 0) {
  clearTimeout(timer);
  line().textContent = sentence(name);
  line().hidden = !name;
  if (milliseconds) timer = setTimeout(() => say(""), milliseconds);
}

// Without a sentence of its own it leaves what was said before.
export function lost(name) {
  if (isLost && !name) return;
  isLost = true;
  document.body.classList.add("is-cut-off");
  say(name ?? "lost");
}

export function healed(name = "healed") {
  if (!isLost) return;
  isLost = false;
  document.body.classList.remove("is-cut-off");
  say(name, HEALED);
}
