// A press means what was shown, and all of it is sent.
//
// A swap between pressing and releasing a button would remove it before its click. Such a swap
// waits until the click was handled. What was pressed then still means the page as it was shown.
// Each part of a page waits for itself: the last of its answers is shown.

const AFTER_A_TAP = 80; // a touch screen reports the click some time after the finger is lifted

let pressed = false;
let dragging = false;
let timer = 0;
const waiting = new Map(); // what htmx says before a swap, by its target

export const isHeld = (target) => waiting.has(target);

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
  const held = [...waiting.values()];
  waiting.clear();
  for (const each of held) if (each.target.isConnected) swap(each);
}

// As htmx would have done it: what the request named comes before the attributes around the element.
function swap(held) {
  const { target, elt, serverResponse } = held;
  const around = (name) => {
    const value = elt.closest(`[${name}]`)?.getAttribute(name);
    return value === "unset" ? undefined : value;
  };
  window.htmx.trigger(target, "htmx:beforeSwap", held);
  if (!held.shouldSwap) return; // something newer is shown meanwhile
  const { defaultSwapStyle, defaultSettleDelay } = window.htmx.config;
  const [swapStyle] = (held.swapOverride ?? around("hx-swap") ?? defaultSwapStyle).split(" ");
  const how = { swapStyle, swapDelay: 0, settleDelay: defaultSettleDelay };
  window.htmx.swap(target, serverResponse, how, {
    select: held.select ?? around("hx-select"),
    selectOOB: around("hx-select-oob"),
    eventInfo: held,
    contextElement: elt,
  });
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
  waiting.set(event.detail.target, { ...event.detail });
  event.detail.shouldSwap = false;
});

// The answer to a move is about to be shown: another move on the page before it would be refused.
// An update is not worth showing any more once a move is sent.
document.addEventListener("htmx:confirm", (event) => {
  const { verb, target } = event.detail;
  if (verb !== "post") return;
  if (isSent(waiting.get(target))) event.preventDefault();
  else waiting.delete(target);
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
