// What this browser remembers of its reader. Where it keeps nothing (a private window, a setting, a
// full disk) asking alone may throw; the page then remembers it until it is left.

const unkept = new Map();

export function recall(name, where = "localStorage") {
  if (unkept.has(name)) return unkept.get(name);
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

export function store(name, value, where = "localStorage") {
  try {
    window[where].setItem(name, value);
    unkept.delete(name);
  } catch {
    unkept.set(name, String(value));
  }
}
