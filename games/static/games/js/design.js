// Plays each moment on the felt of the design page that its button stands on.

import { moment } from "./moments.js";

document.addEventListener("click", ({ target }) => {
  const { effect, tone, spot } = target.dataset;
  if (effect === undefined) return;
  const element = target.closest(".felt");
  const find = (name) => element.querySelector(`[data-spot="${name}"]`);
  const lying = () => [...element.querySelectorAll("[data-spot=trick] [data-card]")];
  moment({ element, find, lying }, { word: target.textContent, tone, effect, start: spot }, 1);
});
