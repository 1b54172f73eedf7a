// The stage: the felt as it was, laid over the felt as it is, while what happened is played on it.
// It holds copies of seats and centre and the cards that fly; the hand below is the real one.

const FACE = "[data-card], [data-face]";
const COVERED = 14; // cards of a pile that fly one by one; more look the same

const felt = () => document.getElementById("felt");

function copy(slot) {
  const made = slot.cloneNode(true);
  for (const card of made.querySelectorAll("[data-card]")) card.dataset.face = "";
  for (const each of [made, ...made.querySelectorAll("*")]) {
    for (const name of ["id", "name", "data-key", "data-card", "for"]) each.removeAttribute(name);
  }
  return made;
}

// Keeps the room of a slot that is not shown twice.
function gap(slot) {
  const made = document.createElement("div");
  made.className = slot.className;
  made.style.height = `${slot.getBoundingClientRect().height}px`;
  return made;
}

export class Stage {
  constructor() {
    this.element = document.createElement("div");
    this.element.className = "felt stage";
    this.element.inert = true;
    for (const slot of felt()?.querySelectorAll(":scope > .slot") ?? []) {
      const real = slot.matches(".slot-hand, .slot-moves");
      this.element.append(real ? gap(slot) : copy(slot));
    }
    this.ghosts = [];
  }

  // Lies over the felt that is shown now; a swap brings a new one.
  lay() {
    felt()?.append(this.element);
    document.getElementById("table-panel").classList.add("is-staged");
  }

  strike() {
    this.element.remove();
    for (const card of document.querySelectorAll(".is-awaited")) card.classList.remove("is-awaited");
    document.getElementById("table-panel")?.classList.remove("is-staged");
  }

  // The element that stands for a spot: on the stage, else in the real hand below.
  find(spot) {
    const [kind, ...rest] = spot.split("-");
    const queries = {
      seat: `[data-seat="${rest[0]}"]`,
      board: `[data-seat="${rest[0]}"] [data-spot=board]`,
      lay: `[data-lay="${rest.join("-")}"]`,
    };
    const query = queries[kind] ?? `[data-spot="${spot}"]`;
    return this.element.querySelector(query) ?? felt()?.querySelector(`.slot-hand ${query}`);
  }

  // Whether a spot is one of the real hand and not of the stage.
  isReal(spot) {
    const found = this.find(spot);
    return Boolean(found) && !this.element.contains(found);
  }

  // Where a card at a spot lies, in the stage's own coordinates.
  place(spot, code) {
    const found = this.find(spot);
    const fallback = spot.startsWith("lay-") ? this.find("trick") : null;
    const whole = this.element.getBoundingClientRect();
    const box = (this.card(found, spot, code) ?? found ?? fallback ?? this.element).getBoundingClientRect();
    const width = Math.min(box.width, this.width(found ?? fallback));
    const place = {
      x: box.left - whole.left + (box.width - width) / 2,
      y: box.top - whole.top + Math.max(0, (box.height - width * 1.4) / 2),
      width,
    };
    if (!found && fallback) this.besideOthers(place, spot);
    return place;
  }

  // A row without a place of its own lies in the middle, one level below the other.
  besideOthers(place, spot) {
    const [, level] = spot.split("-");
    const row = this.ghosts.filter((ghost) => ghost.at.startsWith(`lay-${level}-`));
    place.x += (row.length - 0.5) * place.width;
    place.y += Number(level) * place.width * 0.4;
  }

  card(found, spot, code) {
    if (!found) return null;
    if (spot.startsWith("board-")) {
      const real = code && [...found.querySelectorAll(`[data-card="${CSS.escape(code)}"]`)].pop();
      return real || found.querySelector(".is-free") || found.lastElementChild;
    }
    if (spot.startsWith("seat-")) return found.querySelector("[data-spot=hand]") ?? found.querySelector(".face");
    return found.querySelector(".top") ?? [...found.querySelectorAll(FACE)].pop() ?? found.querySelector(".is-empty");
  }

  width(found) {
    const card = found?.querySelector(FACE) ?? found?.querySelector(".is-empty");
    return Math.max(34, Math.min(140, card?.getBoundingClientRect().width || 60));
  }

  ghost(face, at) {
    const made = face.cloneNode(true);
    made.classList.add("ghost");
    made.removeAttribute("data-card");
    made.dataset.face = "";
    this.element.append(made);
    this.ghosts.push({ element: made, at });
    return made;
  }

  // What lies at a spot: cards that flew there, and those that lay there before.
  take(spot) {
    const lies = (ghost) => ghost.at === spot || (spot === "trick" && ghost.at.startsWith("lay-"));
    const flown = this.ghosts.filter(lies);
    this.ghosts = this.ghosts.filter((ghost) => !lies(ghost));
    const found = this.element.querySelector(`[data-spot="${spot}"]`);
    const before = [...(found?.querySelectorAll(FACE) ?? [])].slice(0, COVERED);
    return [...before, ...flown.map((ghost) => ghost.element)];
  }
}
