// Completes the names of people one knows, in fields with list="people-known". Nobody else is named.

const PAUSE = 200;
let timer = 0;
let asked = null;

async function complete(field) {
  const list = document.getElementById("people-known");
  const begins = field.value.trim();
  if (!list || begins === asked) return;
  asked = begins;
  const address = `${list.dataset.source}?begins=${encodeURIComponent(begins)}`;
  const read = (answer) => (answer.ok ? answer.text() : null);
  const names = await fetch(address).then(read).catch(() => null); // the page may be left meanwhile
  if (names !== null && asked === begins) list.innerHTML = names;
}

const isName = (element) => element.matches?.("input[list=people-known]");

for (const event of ["focusin", "input"]) {
  document.addEventListener(event, ({ target }) => {
    if (!isName(target)) return;
    clearTimeout(timer);
    timer = setTimeout(complete, event === "input" ? PAUSE : 0, target);
  });
}
