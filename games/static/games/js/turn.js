// Says that it is the reader's turn to who may not be looking: a sound, if there is sound, and on a
// phone a short vibration, if wanted. Not after a computer that answers at once.

import { vibrates } from "./pace.js";
import { sound } from "./sound.js";

const WAITED = 2500;
const PULSE = [50, 70, 50];

const panel = () => document.getElementById("table-panel");
const isMine = () => panel().classList.contains("your-turn");

let wasMine = isMine();
let since = performance.now();

function notice() {
  const mine = isMine();
  if (mine === wasMine) return;
  const waited = performance.now() - since;
  [wasMine, since] = [mine, performance.now()];
  if (!mine || (waited < WAITED && !document.hidden)) return;
  sound("turn");
  if (vibrates() && navigator.userActivation?.hasBeenActive) navigator.vibrate(PULSE);
}

document.addEventListener("table:still", notice);
