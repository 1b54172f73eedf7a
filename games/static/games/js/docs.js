// Names and levels that Swagger UI leaves out: what it draws is patched whenever it draws again.

const page = document.getElementById("swagger-ui");

function patch() {
  page.querySelector("#servers")?.setAttribute("aria-label", "Server");
  for (const heading of page.querySelectorAll("h3.opblock-tag")) heading.setAttribute("aria-level", "2");
}

new MutationObserver(patch).observe(page, { childList: true, subtree: true });
patch();
