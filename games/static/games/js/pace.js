// How fast cards move, whether there is sound, whether a phone vibrates: chosen at the table,
// remembered in this browser.

import { recall, store } from "./storage.js";

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
const SCALES = { off: 0, quick: 0.4, calm: 1 };

export const pace = () => recall("pace") ?? "calm";

// By how much the times of the calm pace are multiplied; 0: nothing moves.
export const scale = () => (reduced.matches ? 0 : SCALES[pace()] ?? 1);

export const isLoud = () => recall("sound") === "on";

const canVibrate = "vibrate" in navigator && window.matchMedia("(pointer: coarse)").matches;

export const vibrates = () => canVibrate && recall("vibration") === "on";

const remember = (name, isOn) => store(name, isOn ? "on" : "off");

function show() {
  const speaker = document.getElementById("speaker");
  speaker?.setAttribute("aria-pressed", isLoud());
  const chosen = document.getElementById("motion");
  if (!chosen) return;
  chosen.hidden = false;
  for (const radio of chosen.querySelectorAll("[name=pace]")) radio.checked = radio.value === pace();
  chosen.querySelector("[name=vibration]").checked = vibrates();
  chosen.querySelector("[data-vibration]").hidden = !canVibrate;
}

document.addEventListener("change", ({ target }) => {
  if (!target.closest("#motion")) return;
  if (target.name === "pace") store("pace", target.value);
  if (target.name === "vibration") remember("vibration", target.checked);
});
document.addEventListener("click", ({ target }) => {
  if (!target.closest("#speaker")) return;
  remember("sound", !isLoud());
  show();
  if (isLoud()) document.dispatchEvent(new CustomEvent("sound:chosen"));
});
document.addEventListener("htmx:afterSwap", show);
show();
