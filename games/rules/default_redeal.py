"""Dealing again what some seats cannot know, for a game that states no ``redeal`` of its own.

A seat knows the cards that its view and its events of the running round name; they stay where they
are. All others are shuffled among their positions, in each deck of the round by itself.

A game states its own ``redeal`` where this is not enough: a card decides something
without being named, is named without being known, or lies in the state in an order of its own (a
sorted hand); equal cards are in play; a deck of an earlier round is still in use.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from games.rules.cards import text
from games.rules.cards_in_state import exchange
from games.rules.redeal import redeal_decks, retell
from games.rules.shuffles import Shuffle
from games.rules.values import AnyCard, Deck, Event, HistoryStep, Redealt, Seat, State, View

Witnesses = Sequence[Seat | None]


@dataclass(frozen=True)
class DefaultRedeal:
    """``redeal`` of a game whose cards all differ and are typed ``Card`` in its state.

    A game's own ``redeal`` may call one, and then put a sorted hand in order again.
    """

    view: Callable[[Any, Seat | None], View]
    opening: type[Event]
    card_text: Callable[[Any], str] = text

    def __call__(
        self,
        state: State,
        history: Sequence[HistoryStep],
        seats: frozenset[Seat],
        shuffle: Shuffle,
    ) -> Redealt[Any]:
        """Without seats, what a spectator knows stays."""
        witnesses: Witnesses = tuple(seats) or (None,)
        decks = [deck for step in history for deck in step.decks]
        unknown = dict(self._unknown(self._named_in_views(state, witnesses), history, witnesses))
        moved = tuple((index, unknown[index]) for index in sorted(unknown) if unknown[index])
        laid, became = redeal_decks(decks, moved, shuffle)
        now = exchange(state, became)
        return Redealt(now, laid, moved, tuple(self._retold(history, decks, laid)))

    def _named_in_views(self, state: State, witnesses: Witnesses) -> set[str]:
        """Legal moves count for nothing: a move may name a card that is only guessed."""
        named: set[str] = set()
        for seat in witnesses:
            view = self.view(state, seat)
            for name in view.__struct_fields__:
                if name != "legal_moves":
                    named.update(_texts(getattr(view, name)))
        return named

    def _unknown(
        self, named: set[str], history: Sequence[HistoryStep], witnesses: Witnesses
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The positions of each deck of the round whose cards are not named after it was dealt."""
        index = sum(len(step.decks) for step in history)
        for step in reversed(history[self._opened(history) :]):
            for event in step.events[self._first_of_round(step) :]:
                for seat in witnesses:
                    named.update(_texts(event.seen_by(seat)))
            for deck in reversed(step.decks):
                index -= 1
                yield index, self._not_in(named, deck)

    def _not_in(self, named: set[str], deck: Deck) -> tuple[int, ...]:
        return tuple([at for at, card in enumerate(deck) if self.card_text(card) not in named])

    def _retold(
        self, history: Sequence[HistoryStep], before: Sequence[Deck], after: Sequence[Deck]
    ) -> Iterator[tuple[Event, ...]]:
        """The private events of the round, each with the exchanges of the decks dealt by then."""
        opened, decks = self._opened(history), zip(before, after, strict=True)
        became: dict[AnyCard, AnyCard] = {}
        for number, step in enumerate(history):
            for old, new in [next(decks) for _ in step.decks]:
                became |= zip(old, new, strict=True)
            first = self._first_of_round(step) if number >= opened else len(step.events)
            yield (*step.events[:first], *retell(step.events[first:], became, self.card_text))

    def _opened(self, history: Sequence[HistoryStep]) -> int:
        """The step that opened the running round."""
        openings = (at for at, step in enumerate(history) if self._opens(step))
        return max(openings, default=0)

    def _opens(self, step: HistoryStep) -> bool:
        return any(isinstance(event, self.opening) for event in step.events)

    def _first_of_round(self, step: HistoryStep) -> int:
        """The place of the round's first event in its step; before it another round ended."""
        return next(
            (at for at, event in enumerate(step.events) if isinstance(event, self.opening)), 0
        )


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))
    elif isinstance(value, tuple | list | frozenset):
        for item in value:
            yield from _texts(item)
