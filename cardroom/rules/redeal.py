"""Dealing again what the loading player cannot know (FORMAT.md §2, loaded matches).

The cards at the positions nobody at the loading player's seats can know are taken out of each
deck in deck order, shuffled, and laid back on these positions. Where every card of the pack is
different this is a permutation of cards, which a game applies to its state card by card.

Dealing again what some seats cannot know, for a game that states no ``redeal`` of its own.

A seat knows the cards that its view and its events of the running round name; they stay where they
are. All others are shuffled among their positions, in each deck of the round by itself.

A game says what this does not see: ``pinned`` are cards that stay though nobody named them (one
decided something), ``arrange`` puts a sorted hand in order again, ``deals`` tells which events
come with a deck where several are dealt in one step. It states its own ``redeal`` only where equal
cards are in play or a deck of an earlier round is still in use.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from cardroom.rules.cards import text
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.state_fields import cards_in, exchange, texts_of
from cardroom.rules.values import (
    AnyCard,
    Deck,
    Event,
    HistoryStep,
    Pinned,
    Redealt,
    Seat,
    State,
    View,
)

RedealtPositions = tuple[tuple[int, tuple[int, ...]], ...]


def lay_back(deck: Deck, positions: Sequence[int], cards: Sequence[AnyCard]) -> Deck:
    """The deck with ``cards`` at ``positions`` and all others where they were."""
    laid = list(deck)
    for position, card in zip(positions, cards, strict=True):
        laid[position] = card
    return tuple(laid)


def redeal_decks(
    decks: Sequence[Deck], moved: RedealtPositions, shuffle: Shuffle
) -> tuple[tuple[Deck, ...], dict[AnyCard, AnyCard]]:
    """Re-deals decks of unlike cards; gives the decks as they now lie and old card → new card.

    A later deck made of cards that an earlier one dealt (a recycled pile) follows the exchange.
    """
    now = [tuple(deck) for deck in decks]
    became: dict[AnyCard, AnyCard] = {}
    for index, positions in moved:
        taken = [now[index][position] for position in positions]
        laid = shuffle(taken)
        swap = dict(zip(taken, laid, strict=True))
        now[index] = lay_back(now[index], positions, laid)
        for later in range(index + 1, len(now)):
            now[later] = tuple(swap.get(card, card) for card in now[later])
        became = {old: swap.get(new, new) for old, new in became.items()} | {
            old: new for old, new in swap.items() if old not in became
        }
    return tuple(now), became


def undo_redeal(
    decks: Sequence[Deck], moved: RedealtPositions, shuffle: Shuffle, *, follow: bool
) -> tuple[Deck, ...]:
    """The decks as they lay before ``moved`` was dealt again with this ``shuffle``.

    ``follow``: later decks followed the exchange (:func:`redeal_decks`); else each lay for itself.
    """
    positions_of = dict(moved)
    was: dict[AnyCard, AnyCard] = {}  # a card as it is called now → as it was called before
    before = []
    for index, deck in enumerate(decks):
        positions = positions_of.get(index, ())
        laid = [deck[position] for position in positions]
        taken = _unshuffled(laid, shuffle) if positions else []
        original = lay_back(deck, positions, taken)
        before.append(tuple([was.get(card, card) for card in original]))
        if follow and positions:
            was |= {now: was.get(old, old) for now, old in zip(laid, taken, strict=True)}
    return tuple(before)


def _unshuffled(laid: Sequence[AnyCard], shuffle: Shuffle) -> list[AnyCard]:
    """The cards in the order that ``shuffle`` brought into the order ``laid``."""
    taken = list(laid)
    for card, position in zip(laid, shuffle(range(len(laid))), strict=True):
        taken[position] = card
    return taken


def retold_event(event: Event, texts: Mapping[str, str]) -> Event:
    """The event with the texts of other cards, in the fields that not everybody reads."""
    public = event.seen_by(None)
    if public is event:
        return event
    private = {
        name: _exchanged(getattr(event, name), texts)
        for name in texts_of(type(event))
        if getattr(event, name) != getattr(public, name)
    }
    return replace(event, **private) if private else event


def _exchanged(value: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple([_exchanged(item, texts) for item in value])
    return texts.get(value, value)


Witnesses: TypeAlias = Sequence[Seat | None]
Deals: TypeAlias = Callable[[Any, Event], bool]
ALWAYS = float("inf")  # named by a view: known in every deck


class Happening(NamedTuple):
    """An event of the history; ``dealt`` decks lay when it happened, its own counted as later."""

    event: Event
    step: int
    dealt: int
    running: bool  # it is of the running round


@dataclass(frozen=True)
class DefaultRedeal:
    """``redeal`` of a game whose cards all differ and are typed ``Card`` in its state."""

    view: Callable[[Any, Seat | None], View]
    opening: type[Event]
    card_text: Callable[[Any], str] = text
    pinned: Callable[[Any, Sequence[HistoryStep]], Sequence[Pinned]] = lambda _state, _history: ()
    arrange: Callable[[Any], Any] = lambda state: state
    deals: Deals | None = None

    def __call__(
        self,
        state: State,
        history: Sequence[HistoryStep],
        seats: frozenset[Seat],
        shuffle: Shuffle,
    ) -> Redealt[Any]:
        """With no seat it is a spectator who knows what stays."""
        decks = [deck for step in history for deck in step.decks]
        moved = self.movable(state, history, tuple(seats) or (None,))
        laid, became = redeal_decks(decks, moved, shuffle)
        now = self.arrange(exchange(state, became))
        return Redealt(now, laid, moved, self._retold(state, history, decks, laid))

    def movable(
        self, state: State, history: Sequence[HistoryStep], witnesses: Witnesses
    ) -> RedealtPositions:
        """The positions of each deck of the round that are neither known nor pinned."""
        stay = {(deck, at) for pin in self.pinned(state, history) for deck, at in pin.places()}
        unknown = self.unknown(state, history, witnesses)
        free = [(deck, [at for at in places if (deck, at) not in stay]) for deck, places in unknown]
        return tuple([(deck, tuple(places)) for deck, places in free if places])

    def unknown(
        self, state: State, history: Sequence[HistoryStep], witnesses: Witnesses
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The positions of each deck of the round whose cards were not named after it was dealt."""
        last_named = self._last_named(state, history, witnesses)
        for index, deck in self._decks_in_use(state, history):
            texts = enumerate(map(self.card_text, deck))
            yield index, tuple([at for at, text in texts if last_named.get(text, 0) <= index])

    def _last_named(
        self, state: State, history: Sequence[HistoryStep], witnesses: Witnesses
    ) -> dict[str, float]:
        """By text named to a witness in this round: how many decks lay when it was named last."""
        named: dict[str, float] = {}
        for happening in self._happenings(state, history):
            if happening.running:
                for seat in witnesses:
                    named |= dict.fromkeys(texts_in(happening.event.seen_by(seat)), happening.dealt)
        for seat in witnesses:
            named |= dict.fromkeys(texts_in_view(self.view(state, seat)), ALWAYS)
        return named

    def _decks_in_use(
        self, state: State, history: Sequence[HistoryStep]
    ) -> Iterator[tuple[int, Deck]]:
        """Those of the running round; where one held every card, no older one is in use."""
        first = sum(len(step.decks) for step in history[: self._opened(history)])
        decks = list(enumerate([deck for step in history for deck in step.decks]))[first:]
        cards = cards_in(type(state))
        everything = set(cards.listed(state)) if cards else set()
        whole = [at for at, (_, deck) in enumerate(decks) if everything and everything <= {*deck}]
        yield from decks[whole[-1] if whole else 0 :]

    def _retold(
        self,
        state: State,
        history: Sequence[HistoryStep],
        before: Sequence[Deck],
        after: Sequence[Deck],
    ) -> tuple[tuple[Event, ...], ...]:
        """The private events of the round, each with the exchanges of the decks dealt by then."""
        events: list[list[Event]] = [[] for _ in history]
        texts: dict[str, str] = {}
        dealt = 0
        for event, step, decks, running in self._happenings(state, history):
            for deck in range(dealt, decks):
                was, lies = map(self.card_text, before[deck]), map(self.card_text, after[deck])
                texts |= zip(was, lies, strict=True)
            dealt = decks
            events[step].append(retold_event(event, texts) if running else event)
        return tuple(map(tuple, events))

    def _happenings(self, state: State, history: Sequence[HistoryStep]) -> Iterator[Happening]:
        """Every event with the decks that lay then.

        A deck comes before all events of its step, unless ``deals`` says at which of them; what
        such an event names lay before the deck.
        """
        opened, base = self._opened(history), 0
        for number, step in enumerate(history):
            first = self._first_of_round(step) if number == opened else 0
            dealt = base if self.deals else base + len(step.decks)
            for at, event in enumerate(step.events):
                yield Happening(event, number, dealt, number >= opened and at >= first)
                if self.deals and self.deals(state, event):
                    dealt += 1
            base += len(step.decks)

    def _opened(self, history: Sequence[HistoryStep]) -> int:
        """The step that opened the running round."""
        kind = self.opening
        openings = (n for n, step in enumerate(history) for e in step.events if isinstance(e, kind))
        return max(openings, default=0)

    def _first_of_round(self, step: HistoryStep) -> int:
        """The place of the round's first event in its step; before it another round ended."""
        return next(
            (at for at, event in enumerate(step.events) if isinstance(event, self.opening)), 0
        )


def texts_in_view(view: View) -> list[str]:
    """Legal moves count for nothing: a move may name a card that is only guessed."""
    return texts_in([getattr(view, name) for name in texts_of(type(view)) if name != "legal_moves"])


def texts_in(value: Any) -> list[str]:
    """Every text in a value, however deep; of a struct those fields are read that may hold one."""
    texts: list[str] = []
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, msgspec.Struct):
            left += [getattr(value, name) for name in texts_of(type(value))]
        elif isinstance(value, tuple | list | frozenset):
            left += value
    return texts
