// "Copy" buttons: <button data-copy="#field" data-done="Copied" hidden>. Shown only where the browser can copy.

function show() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).value);
  button.textContent = button.dataset.done;
});
document.addEventListener("htmx:afterSwap", show);
show();
