// The sound of cards: silent until somebody asks for it by the speaker, which is remembered.

import { isLoud } from "./pace.js";
import { VOICES } from "./voices.js";

const LOUDNESS = 0.5;
let out = null;

function open() {
  const context = new AudioContext();
  const evens = new DynamicsCompressorNode(context, { threshold: -18, ratio: 5 });
  evens.connect(new GainNode(context, { gain: LOUDNESS })).connect(context.destination);
  return { context, evens };
}

// A browser lets a page sound only after it was pressed somewhere.
export function sound(name) {
  if (!VOICES[name] || !isLoud() || !navigator.userActivation?.hasBeenActive) return;
  try {
    out ??= open();
    out.context.resume();
    VOICES[name](out.context, out.evens, out.context.currentTime + 0.01);
  } catch (error) {
    reportError(error); // a table without sound is a table
  }
}

// Where nothing moves, what happened is heard all the same: the moment, or a card.
export function soundOf(motions) {
  const called = motions.findLast(({ effect }) => effect);
  if (called) sound(called.effect);
  else if (motions.some(({ kind }) => kind === "move")) sound("lay");
}

document.addEventListener("clock:tick", () => document.querySelector("#table-panel.your-turn") && sound("tick"));
document.addEventListener("sound:chosen", () => sound("turn"));
