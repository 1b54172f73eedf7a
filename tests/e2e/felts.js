// What a table shows, for the tests: installed in a page, called by name.

window.isStill = () => !document.querySelector(".is-staged, .stage, .was, .htmx-request, .is-sent, .is-counting");

// Looks at every frame in which cards move: how many seats are marked as to play, and whether
// anything that is told beside the cards changes meanwhile.
window.watchFrames = () => {
  window.framesSeen = { moving: 0, acting: new Set(), wrong: [] };
  const visible = (each) => each.checkVisibility({ visibilityProperty: true });
  const words = () => [...document.querySelectorAll(".aside .news ol, .aside .sheet table, .stage .count, .stage .coach")]
    .filter(visible).map((each) => each.innerText).join("|");
  const { animate } = Element.prototype;
  Element.prototype.animate = function (steps, timing) {
    if (/Infinity|NaN/.test(steps.map(({ transform }) => transform))) framesSeen.wrong.push(steps[0].transform);
    return animate.call(this, steps, timing);
  };
  let shown = words();
  const look = () => {
    const stage = document.querySelector(".is-staged .stage");
    const marked = [...document.querySelectorAll("[data-acting]")].filter(visible).length;
    const plates = [...document.querySelectorAll(".seat.is-acting, .sh-seat.is-acting, .py-seat.is-acting")];
    if (stage) {
      framesSeen.moving += 1;
      // In an exchange all act at once, and no seat is marked as the one that plays.
      if (!stage.querySelector("[data-exchange]")) framesSeen.acting.add(marked);
      if (plates.filter(visible).length > 1) framesSeen.wrong.push("two plates");
      if (stage !== look.stage) shown = words();
      if (words() !== shown) framesSeen.wrong.push(`${shown} -> ${words()}`);
    }
    look.stage = stage;
    requestAnimationFrame(look);
  };
  look();
};

// What can be seen of a felt; a card that is hidden or not drawn is none.
window.shownFelt = (game) => {
  const panel = document.getElementById("table-panel");
  const all = (query, root = document.getElementById("felt")) => [...root.querySelectorAll(query)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const codes = (query, root) => all(query, root).map((each) => each.dataset.card).filter(Boolean);
  const number = (query, root) => Number(all(query, root)[0]?.innerText.match(/\d+/)?.[0] ?? 0);
  const seats = (read) => Object.fromEntries(all("[data-seat]").map((each) => [each.dataset.seat, read(each)]));
  const games = {
    pisti: () => ({
      top: codes(".pile .top")[0] ?? null,
      pile: number(".pile .count"),
      stock: /\d/.test(all(".stock .count")[0].innerText) ? number(".stock .count") : 0,
      hand: codes(".hand-row [data-card]"),
      seats: seats((seat) => ({
        cards: seat.matches(".hand") ? codes(".hand-row [data-card]").length : all(".fan .playing-card", seat).length,
        points: number(".counts .count", seat),
      })),
    }),
    pazaak: () => ({
      hand: codes(".pazaak-hand [data-card]"),
      seats: seats((seat) => ({
        placed: all(".pazaak-place:not(.is-free)", seat).length,
        total: Number(all(".pazaak-total", seat)[0].innerText.replace("−", "-").match(/-?\d+/)[0]),
        wins: all(".pip.is-lit", seat).length,
      })),
    }),
    shithead: () => ({
      top: codes(".sh-pile [data-card]"),
      pile: number(".sh-pile .count"),
      hand: codes(".sh-hand [data-card]"),
      tops: codes(".sh-top-row [data-card]"),
      others: Object.fromEntries(all(".sh-seat:not(.is-out)").map((seat) => [
        seat.dataset.seat, all(".sh-counts b", seat).map((each) => Number(each.innerText)),
      ])),
    }),
    pyanitsa: () => ({
      table: codes(".py-level [data-card]"),
      held: seats((seat) => number(".py-counts b", seat)),
    }),
  };
  return {
    version: Number(document.querySelector("#felt [name=version]").value),
    acting: all("[data-acting]").length,
    yours: panel.classList.contains("your-turn"),
    finished: all(".finished", panel).length === 1,
    felt: panel.dataset.waitsFor === "" ? null : games[game](),
  };
};
