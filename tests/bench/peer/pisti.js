// Two-seat Pişti to 151 for boardgame.io, by the same rules as ours (classic preset).
// No hand is hidden here: filtering views would cost the peer more, not less.

const RANKS = '23456789TJQKA';
const SUITS = 'CDHS';
const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const PLAYS_A_DEAL = 48;
const TARGET = 151;
const CARD_POINTS = { '2C': 2, TD: 3 };

const isJack = (card) => card[0] === 'J';

function deal(G, random) {
  let pack;
  do pack = random.Shuffle(PACK);
  while (pack.slice(8, 12).every(isJack));
  const starter = G.deal % 2;
  G.hands[starter] = pack.slice(0, 4);
  G.hands[1 - starter] = pack.slice(4, 8);
  G.pile = pack.slice(8, 12);
  while (isJack(G.pile[3])) G.pile.unshift(G.pile.pop());
  G.stock = pack.slice(12);
  G.heaps = [[], []];
  G.bonus = [0, 0];
  G.plays = 0;
  G.last = null;
  G.deal += 1;
}

function capture(G, seat, card) {
  const [top, size] = [G.pile[G.pile.length - 1], G.pile.length];
  G.heaps[seat].push(...G.pile, card);
  G.pile = [];
  G.last = seat;
  if (size === 1 && card[0] === top[0] && G.plays < PLAYS_A_DEAL)
    G.bonus[seat] += isJack(card) ? 20 : 10;
}

function score(G) {
  if (G.last !== null) G.heaps[G.last].push(...G.pile);
  for (const seat of [0, 1]) {
    const heap = G.heaps[seat];
    G.totals[seat] += G.bonus[seat];
    for (const card of heap)
      G.totals[seat] += CARD_POINTS[card] || (card[0] === 'J' || card[0] === 'A' ? 1 : 0);
    if (heap.length > G.heaps[1 - seat].length) G.totals[seat] += 3;
  }
}

function isDecided(G) {
  return Math.max(...G.totals) >= TARGET && G.totals[0] !== G.totals[1];
}

function playCard({ G, ctx, random, events }, card) {
  const seat = Number(ctx.currentPlayer);
  const at = G.hands[seat].indexOf(card);
  if (at < 0) return 'INVALID_MOVE';
  G.hands[seat].splice(at, 1);
  G.plays += 1;
  const top = G.pile[G.pile.length - 1];
  if (top && (card[0] === top[0] || isJack(card))) capture(G, seat, card);
  else G.pile.push(card);
  if (G.hands.every((hand) => hand.length === 0)) nextCards(G, random, events, seat);
}

function nextCards(G, random, events, seat) {
  if (G.plays < PLAYS_A_DEAL) {
    const starter = 1 - seat; // the dealer has just played last
    G.hands[starter] = G.stock.splice(0, 4);
    G.hands[1 - starter] = G.stock.splice(0, 4);
    return;
  }
  score(G);
  if (isDecided(G)) events.endGame({ winner: G.totals[0] > G.totals[1] ? '0' : '1' });
  else deal(G, random);
}

// The dealer of a deal starts the next one, so the seat that played last plays again then.
function nextSeat({ G, ctx }) {
  return G.plays === 0 ? (G.deal - 1) % 2 : 1 - ctx.playOrderPos;
}

exports.Pisti = {
  name: 'pisti',
  setup: ({ random }) => {
    const G = { deal: 0, hands: [[], []], totals: [0, 0] };
    deal(G, random);
    return G;
  },
  moves: { playCard },
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: nextSeat } },
};
