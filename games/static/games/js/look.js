// The look of the cards changes at once, and the server is told, so that the next page has it too.

document.addEventListener("change", ({ target }) => {
  const form = target.closest("[data-look]");
  if (!form) return;
  const { classList } = document.documentElement;
  const chosen = new FormData(form);
  classList.toggle("four-colours", chosen.get("colours") === "four");
  for (const back of ["rays", "waves"]) classList.toggle(`back-${back}`, chosen.get("back") === back);
  fetch(form.action, { method: "POST", body: chosen, redirect: "manual" }).catch(() => {});
});
