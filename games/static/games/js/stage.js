// The stage: the felt as it was, in the place of the felt as it is, while what happened is played on
// it. It is a copy that nobody can press. What the page tells beside the felt (`data-lands`) stands
// as it was, too, so that nothing is known before the motion shows it.

const FACE = "[data-card], [data-face]";
const HELD = "[data-face], .chip";
const COVERED = 14; // cards of a pile that fly one by one; more look the same
const NARROWEST = 12;

const felt = () => document.getElementById("felt");
const panel = () => document.getElementById("table-panel");
const isHeld = (card) => card.matches("[data-seat] *, .slot-hand *") && !card.closest("[data-spot=board]");
const isAt = (ghost, spot) => ghost.at === spot || (spot === "trick" && ghost.at.startsWith("lay-"));
const hasSize = (element) => element?.getBoundingClientRect().width >= 1;

function copy(part) {
  const made = part.cloneNode(true);
  for (const card of made.querySelectorAll("[data-card]")) {
    card.dataset.was = card.dataset.card;
    card.dataset.face = "";
  }
  for (const each of [made, ...made.querySelectorAll("*")]) {
    for (const name of ["id", "name", "form", "for", "data-key", "data-card", "data-lands"]) {
      each.removeAttribute(name);
    }
  }
  return made;
}

function still(part) {
  const made = copy(part);
  made.classList.add("was");
  made.inert = true;
  return made;
}

export class Stage {
  constructor({ isEmpty = false } = {}) {
    this.element = document.createElement("div");
    this.element.className = "felt stage";
    this.element.inert = true;
    this.element.append(...[...felt().querySelectorAll(":scope > .slot")].map(copy));
    this.scrolled = felt().scrollTop;
    this.beside = new Map();
    for (const part of panel().querySelectorAll("[data-lands]")) {
      this.beside.set(part.dataset.lands, still(part));
    }
    this.places = new Map(); // where the cards lay that are known by name
    for (const card of felt().querySelectorAll(".slot [data-card]")) {
      if (card.dataset.card) this.places.set(card.dataset.card, card.getBoundingClientRect());
    }
    this.dealt = new Set(); // cards of the own hand that have arrived
    this.ghosts = [];
    this.isOver = false;
    this.undealt = []; // cards of the first deal that have not arrived
    if (isEmpty) this.empty();
  }

  // Nothing is dealt yet: no card is anywhere but in the stock.
  empty() {
    this.places.clear();
    this.element.classList.add("is-first");
    this.undealt = [...this.element.querySelectorAll(HELD)].filter((card) => !card.closest("[data-spot=stock]"));
    for (const card of this.undealt) card.classList.add("is-gone");
  }

  // A card of the first deal has come to a seat. The own hand is turned up card by card elsewhere.
  reveal(spot) {
    const seat = this.find(spot);
    const at = this.undealt.findIndex((card) => seat?.contains(card) && isHeld(card) && !card.closest(".slot-hand"));
    if (at >= 0) this.undealt.splice(at, 1)[0].classList.remove("is-gone");
  }

  // All that the seats hold is dealt; what lies on the table comes by itself.
  fill() {
    for (const card of this.undealt.filter(isHeld)) card.classList.remove("is-gone");
    this.undealt = [];
  }

  everybody(times) {
    const seats = [...this.element.querySelectorAll("[data-seat]")].map(({ dataset }) => `seat-${dataset.seat}`);
    return Array.from({ length: times }, () => seats).flat();
  }

  // Stands before the felt that is shown now; a swap brings a new one.
  lay() {
    felt().after(this.element);
    this.element.scrollTop = this.scrolled;
    for (const part of panel().querySelectorAll("[data-lands]:not(.was)")) {
      const was = this.beside.get(part.dataset.lands);
      if (was) part.before(was);
    }
    panel().classList.add("is-staged");
  }

  strike() {
    this.isOver = true;
    for (const each of [this.element, ...this.beside.values()]) each.remove();
    panel()?.classList.remove("is-staged");
  }

  find(spot) {
    const [kind, ...rest] = spot.split("-");
    const queries = {
      seat: `[data-seat="${rest[0]}"]`,
      board: `[data-seat="${rest[0]}"] [data-spot=board]`,
      lay: `[data-lay="${rest.join("-")}"]`,
    };
    return this.element.querySelector(queries[kind] ?? `[data-spot="${spot}"]`);
  }

  // A rectangle of the window in the stage's own coordinates.
  within({ left, top, width, height }) {
    const whole = this.element.getBoundingClientRect();
    return {
      x: left - whole.left - this.element.clientLeft + this.element.scrollLeft,
      y: top - whole.top - this.element.clientTop + this.element.scrollTop,
      width,
      height,
    };
  }

  // Where a card at a spot lies. A seat without cards or a pile of none has a place all the same.
  place(spot) {
    const found = this.find(spot);
    const fallback = spot.startsWith("lay-") ? this.find("trick") : null;
    const shown = [this.card(found, spot), found, fallback].find(hasSize) ?? this.element;
    const box = this.within(shown.getBoundingClientRect());
    const width = Math.max(NARROWEST, Math.min(box.width, this.width(found ?? fallback)));
    const place = {
      x: box.x + (box.width - width) / 2,
      y: box.y + Math.max(0, (box.height - width * 1.4) / 2),
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

  card(found, spot) {
    if (!found) return null;
    if (spot.startsWith("board-")) {
      const free = found.querySelectorAll(".is-free");
      return free[this.ghosts.filter(({ at }) => at === spot).length] ?? found.lastElementChild;
    }
    if (spot.startsWith("seat-")) return found.querySelector("[data-spot=hand]") ?? found.querySelector(".face");
    return found.querySelector(".top") ?? [...found.querySelectorAll(FACE)].pop() ?? found.querySelector(".is-empty");
  }

  width(found) {
    const card = found?.querySelector(FACE) ?? found?.querySelector(".is-empty");
    return Math.max(34, Math.min(140, card?.getBoundingClientRect().width || 60));
  }

  // The next card of the real hand that was not in it before, if the spot is the reader's seat, and
  // its place in the row as it was.
  arriving(spot) {
    const own = felt()?.querySelector(".slot-hand[data-seat], .slot-hand [data-seat]")?.dataset.seat;
    if (spot !== `seat-${own}`) return null;
    const isNew = ({ dataset: { card } }) => card && !this.places.has(card) && !this.dealt.has(card);
    const found = [...felt().querySelectorAll(".slot-hand .hand [data-card]")].find(isNew);
    if (!found) return null;
    this.dealt.add(found.dataset.card);
    const row = this.element.querySelector(".slot-hand .hand .hand-row") ?? found;
    const { y } = this.within(row.getBoundingClientRect());
    return { card: found, to: { ...this.within(found.getBoundingClientRect()), y } };
  }

  // A card leaves the hand; where it lay is returned.
  leave(code) {
    const shown = this.element.querySelector(`.slot-hand [data-was="${CSS.escape(code)}"]:not(.is-gone)`);
    shown?.classList.add("is-gone");
    const was = this.places.get(code);
    return was && this.within(was);
  }

  // A card at a place of the stage.
  ghost(face, at, place) {
    const made = copy(face);
    made.classList.add("ghost");
    made.dataset.face = "";
    made.style.setProperty("--card", `${place.width}px`);
    made.style.left = `${place.x}px`;
    made.style.top = `${place.y}px`;
    this.element.append(made);
    this.ghosts.push({ element: made, at });
    return made;
  }

  remove(ghost) {
    ghost.remove();
    this.ghosts = this.ghosts.filter(({ element }) => element !== ghost);
  }

  // What lies at a spot: cards that flew there, and those that lay there before.
  lying(spot) {
    const found = this.element.querySelector(`[data-spot="${spot}"]`);
    const before = [...(found?.querySelectorAll(FACE) ?? [])].slice(0, COVERED);
    return [...before, ...this.ghosts.filter((ghost) => isAt(ghost, spot)).map((ghost) => ghost.element)];
  }

  take(spot) {
    const lying = this.lying(spot);
    this.ghosts = this.ghosts.filter((ghost) => !isAt(ghost, spot));
    return lying;
  }

  // It is this seat that plays now; `headline` says so.
  turn(seat, { headline, yours }) {
    const line = this.beside.get("headline");
    if (line) {
      line.textContent = headline;
      line.classList.toggle("is-yours", Boolean(yours));
    }
    const [mark, ...more] = this.element.querySelectorAll("[data-acting]");
    const at = this.find(`seat-${seat}`);
    if (!at) return;
    for (const each of this.element.querySelectorAll(".is-acting")) each.classList.remove("is-acting");
    for (const each of [...more, ...this.element.querySelectorAll("[data-next]")]) each.remove();
    (at.querySelector(".seat") ?? at).classList.add("is-acting");
    // Where all acted at once before, as in an exchange of cards, no seat has a mark in words.
    if (mark && !at.contains(mark)) at.querySelector("[data-marks]")?.append(mark);
  }
}
