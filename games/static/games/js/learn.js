// The card that the thought of a lesson is about is marked on the felt and described by it. Without
// this script the thought shows the card beside its sentence all the same.

const thought = document.getElementById("thought");
const code = thought?.dataset.points;
if (code) {
  const felt = document.querySelector("#table-panel");
  const named = felt.querySelectorAll(`[data-card="${CSS.escape(code)}"], [value="${CSS.escape(code)}"]`);
  for (const card of named) {
    card.classList.add("is-pointed");
    if (card.matches("button, input")) card.setAttribute("aria-describedby", "thought");
  }
}
if (thought && location.hash === "#thought") thought.focus({ preventScroll: true });
