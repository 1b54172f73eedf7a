// Names, levels and landmarks that Swagger UI leaves out: what it draws is patched whenever it draws
// again.

const page = document.getElementById("swagger-ui");

const LEVELS = { "h3.opblock-tag, section.models > h4": 2, ".opblock h4": 3, ".opblock h5": 4 };
const REGIONS = { ".information-container": "About", ".schemes-server-container": "Server" };

function patch() {
  page.querySelector("#servers")?.setAttribute("aria-label", "Server");
  for (const [found, level] of Object.entries(LEVELS)) set(found, "aria-level", level);
  for (const [found, name] of Object.entries(REGIONS)) {
    set(found, "role", "region");
    set(found, "aria-label", name);
  }
  set("pre.microlight", "tabindex", 0);
  for (const table of page.querySelectorAll("table[role=region]")) table.removeAttribute("role");
}

function set(found, name, value) {
  for (const each of page.querySelectorAll(found)) each.setAttribute(name, value);
}

// Once a frame: a long document is drawn in thousands of steps.
let isPlanned = false;

function plan() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    patch();
  });
}

new MutationObserver(plan).observe(page, { childList: true, subtree: true });
plan();
