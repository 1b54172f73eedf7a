// A press means what was shown, and all of it is sent.
//
// A swap between pressing and releasing a button would remove it before its click. Such a swap
// waits until the click was handled. What was pressed then still means the page as it was shown.

const AFTER_A_TAP = 80; // a touch screen reports the click some time after the finger is lifted

let pressed = false;
let dragging = false;
let waiting = null;
let timer = 0;

export const isHeld = () => waiting !== null;

function press() {
  clearTimeout(timer);
  pressed = true;
}

function release(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(finish, milliseconds);
}

function finish() {
  pressed = false;
  const held = waiting;
  waiting = null;
  if (held?.target.isConnected) swap(held);
}

function swap(held) {
  const { target, elt, serverResponse } = held;
  window.htmx.trigger(target, "htmx:beforeSwap", held);
  if (!held.shouldSwap) return; // something newer is shown meanwhile
  const how = { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 20 };
  const select = elt.getAttribute("hx-select");
  window.htmx.swap(target, serverResponse, how, { select, eventInfo: held, contextElement: elt });
}

// htmx loses a button that stands outside of its form (`form=`): with it the move and its address.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const button = detail.triggeringEvent?.submitter;
  if (button?.hasAttribute("formaction")) detail.path = button.getAttribute("formaction");
  if (!button?.name || detail.formData.getAll(button.name).includes(button.value)) return;
  detail.formData.append(button.name, button.value);
});

const isSent = (details) => details?.requestConfig.verb === "post";

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!pressed || !event.detail.shouldSwap) return;
  waiting = { ...event.detail };
  event.detail.shouldSwap = false;
});

// The answer to a move is about to be shown: another move on the page before it would be refused.
// An update is not worth showing any more once a move is sent.
document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.verb !== "post") return;
  if (isSent(waiting)) event.preventDefault();
  else waiting = null;
});

// A drag cancels the pointer that began it.
for (const change of ["dragstart", "dragend"]) {
  document.addEventListener(change, () => {
    dragging = change === "dragstart";
    if (!dragging) release(0);
  }, true);
}

const isSpace = (event) => event.key === " ";

document.addEventListener("pointerdown", press, true);
document.addEventListener("pointerup", () => release(AFTER_A_TAP), true);
document.addEventListener("pointercancel", () => dragging || release(AFTER_A_TAP), true);
document.addEventListener("keydown", (event) => isSpace(event) && press(), true);
document.addEventListener("keyup", (event) => isSpace(event) && release(0), true);
document.addEventListener("click", (event) => event.isTrusted && release(0));
window.addEventListener("blur", () => release(0));
