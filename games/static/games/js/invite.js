// The share sheet of the device, where there is one: <button data-share="address" data-title="…" hidden>.

function show() {
  if (!navigator.share) return;
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-share]");
  if (!button) return;
  // Closing the sheet without a choice is no fault.
  await navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {});
});
document.addEventListener("htmx:afterSwap", show);
show();
