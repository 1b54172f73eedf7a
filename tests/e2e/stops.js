// Where the keyboard is: what a screen reader calls it, and whether one sees it. For the tests.

window.keyboardStop = () => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const label = at.closest("label") ?? at.labels?.[0];
  const names = [at.ariaLabel, label?.textContent, label?.querySelector("[aria-label]")?.ariaLabel, at.textContent, at.value];
  const marked = [at, label, ...(label?.querySelectorAll("*") ?? [])].filter(Boolean);
  return {
    name: names.map((each) => each?.trim()).find(Boolean) ?? "",
    isSeen: marked.some((each) => getComputedStyle(each).outlineStyle !== "none"),
    html: at.outerHTML.slice(0, 120),
  };
};
