// The player or computer chosen for a chair is seen on it at once.

document.addEventListener("change", ({ target }) => {
  const chair = target.matches("select[name$=-who]") && target.closest("[data-chair]");
  if (!chair) return;
  const faces = document.getElementById("chair-faces").content;
  const found = faces.querySelector(`[data-for="${CSS.escape(target.value)}"]`) ?? faces.querySelector('[data-for=""]');
  const place = chair.querySelector("[data-face-of]");
  place.replaceChildren(found.firstElementChild.cloneNode(true));
});
