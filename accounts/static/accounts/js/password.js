// The line under a new password answers while one types. The server decides; without this script
// the line says the same rules and the answer comes with the form.

const LEAST = 8;
const field = document.querySelector("input[data-short]");
const line = field && document.getElementById(`${field.id}_helptext`);
if (line) {
  const rules = line.textContent;
  const name = document.querySelector("input[name=username]");
  line.setAttribute("role", "status");

  const answer = () => {
    const typed = field.value;
    const called = name?.value.toLowerCase() ?? "";
    const { short, digits, alike, fine } = field.dataset;
    if (!typed) line.textContent = rules;
    else if (typed.length < LEAST) line.textContent = short;
    else if (/^\d+$/.test(typed)) line.textContent = digits;
    else if (called.length > 2 && typed.toLowerCase().includes(called)) line.textContent = alike;
    else line.textContent = fine;
  };
  field.addEventListener("input", answer);
  name?.addEventListener("input", answer);
}
