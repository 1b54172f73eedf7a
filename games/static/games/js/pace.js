// How fast cards move, and whether there is sound: chosen at the table, remembered in this browser.

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
const SCALES = { off: 0, quick: 0.4, calm: 1 };

export const pace = () => localStorage.getItem("pace") ?? "calm";

// By how much the times of the calm pace are multiplied; 0: nothing moves.
export const scale = () => (reduced.matches ? 0 : SCALES[pace()] ?? 1);

export const isLoud = () => localStorage.getItem("sound") === "on";

function show() {
  const chosen = document.getElementById("motion");
  if (!chosen) return;
  chosen.hidden = false;
  for (const radio of chosen.querySelectorAll("[name=pace]")) radio.checked = radio.value === pace();
  chosen.querySelector("[name=sound]").checked = isLoud();
}

document.addEventListener("change", ({ target }) => {
  if (!target.closest("#motion")) return;
  if (target.name === "pace") localStorage.setItem("pace", target.value);
  if (target.name === "sound") localStorage.setItem("sound", target.checked ? "on" : "off");
});
document.addEventListener("htmx:afterSwap", show);
show();
