// How many watch the match: the stream tells it, and each new panel shows what was told last.

let count = null;

function show() {
  const line = document.querySelector("[data-watchers]");
  if (!line) return;
  const number = line.querySelector("span");
  count ??= Number(number.textContent);
  line.hidden = !count;
  number.textContent = count;
}

document.addEventListener("live:watchers", ({ detail }) => {
  count = detail.count;
  show();
});
document.addEventListener("htmx:afterSwap", show);
show();
