// The button "Show messages in this browser", where there is a service worker that can.

import { isReady, subscribe } from "./push.js";

const section = document.getElementById("browsers");
const button = document.getElementById("subscribe");
const status = document.getElementById("browsers-status");
const csrf = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

function nameOfBrowser() {
  const brands = navigator.userAgentData?.brands ?? [];
  const brand = brands.find(({ brand }) => !/not.*brand|chromium/i.test(brand))?.brand;
  const found = brand ?? /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "";
  return `${found} ${navigator.userAgentData?.platform ?? ""}`.trim().slice(0, 60);
}

async function press() {
  button.disabled = true;
  const { key, call: address } = section.dataset;
  try {
    const options = { key, address, csrf: csrf(), browser: nameOfBrowser() };
    if ((await subscribe(options)) === "granted") return location.reload();
    status.textContent = section.dataset.refused;
  } catch {
    status.textContent = section.dataset.failed;
  }
  button.disabled = false;
}

button.addEventListener("click", press);
isReady().then((ready) => (button.hidden = !ready));
