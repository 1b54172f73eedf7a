// "Share" opens the share sheet of the phone where there is one; else the address is copied. What
// may be sent besides, the picture and a link to WhatsApp, is shown in any case.

const said = (details) => details.querySelector(".share-said");

async function sheet(details, { text, url }) {
  await navigator.share({ title: text, text, url }).catch(() => {}); // closed again, or not allowed
  details.open = true;
}

async function copy(details, { url, done }) {
  try {
    await navigator.clipboard.writeText(url);
    said(details).textContent = done;
  } catch {
    details.querySelector("input").select();
  }
}

document.addEventListener("click", (event) => {
  const details = event.target.closest("#share-result > summary")?.parentElement;
  if (!details || details.open) return;
  if (!navigator.share) return void copy(details, details.dataset);
  event.preventDefault();
  sheet(details, details.dataset);
});
