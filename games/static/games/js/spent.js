// A press while cards move shows the table as it is and does nothing else: the person saw an
// older table. So no move is made from a felt that is gone, by pointer, key or double click. What
// may be pressed at any time, as Stop, says so (`data-anytime`).

import { finish, isMoving } from "./choreography.js";

const ANYTIME = "[data-anytime]";
const LEFT_ALONE = ["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta"];

let isSpent = false; // the press under way has ended a motion
let isChained = false; // and so have the clicks that belong to it
let heldKey = null;

const typing = (element) => element.closest?.("input:not([type=checkbox], [type=radio]), select, textarea");
const isShortcut = ({ ctrlKey, altKey, metaKey, key }) => ctrlKey || altKey || metaKey || LEFT_ALONE.includes(key);
const plays = (element) =>
  element.closest?.("[name=move]") || (element.closest?.("#table-panel") && !element.closest(".aside"));

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Whether this press ends a motion and is spent by that.
function spends(isAnytime) {
  if (!isMoving()) return false;
  finish();
  return !isAnytime;
}

window.addEventListener("pointerdown", ({ target }) => {
  isSpent = spends(target.closest?.(ANYTIME));
}, true);
window.addEventListener("pointercancel", () => (isSpent = false), true);

function click(event) {
  if (!event.isTrusted) return;
  if (event.detail < 2) {
    isChained = spends(event.target.closest?.(ANYTIME)) || isSpent;
    isSpent = false;
  }
  if (isChained && plays(event.target)) swallow(event);
}

window.addEventListener("click", click, true);
window.addEventListener("dblclick", (event) => isChained && plays(event.target) && swallow(event), true);

window.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === heldKey) return swallow(event);
  heldKey = null;
  isSpent = false;
  if (!isMoving() || isShortcut(event) || typing(event.target)) return;
  const pressed = document.querySelector(`#table-panel [data-key="${CSS.escape(event.key)}"]`);
  if (!spends(event.target.closest?.(ANYTIME) || pressed?.matches(ANYTIME))) return;
  if (event.key.length > 1 && event.key !== "Enter") return;
  isSpent = true;
  heldKey = event.key;
  swallow(event);
}, true);
window.addEventListener("keyup", () => (heldKey = null), true);
