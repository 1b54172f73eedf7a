// Keys: 1 to 9 press what has that data-key, arrows walk along a hand.

const typing = (element) => element.closest("input:not([type=checkbox]), select, textarea");

function walk(from, step) {
  const row = [...from.closest(".hand-row, .moves").querySelectorAll("button, input")];
  row[(row.indexOf(from) + step + row.length) % row.length]?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (typing(event.target)) return;
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  if (steps[event.key] && event.target.closest(".hand-row, .moves")) {
    event.preventDefault();
    return walk(event.target, steps[event.key]);
  }
  if (event.key === "Enter" && event.target.closest("a, button, summary, input")) return;
  const pressed = document.querySelector(`#table-panel [data-key="${CSS.escape(event.key)}"]`);
  if (pressed && !pressed.disabled) {
    event.preventDefault();
    pressed.focus();
    pressed.click();
  }
});
