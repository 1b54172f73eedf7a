// Moments in the time of the reader's own device. Without this script they stand in the time zone that
// the reader has chosen, or in UTC; both say which.

const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium", timeStyle: "short",
});

function show() {
  for (const moment of document.querySelectorAll("time[data-local]")) {
    const text = format.format(new Date(moment.dateTime));
    if (moment.textContent !== text) moment.textContent = text;
    moment.title = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

document.addEventListener("htmx:afterSwap", show);
show();

// Who has chosen no time zone yet is offered that of this device.
for (const field of document.querySelectorAll('input[name="time_zone"]')) {
  if (field.defaultValue === "UTC") field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
