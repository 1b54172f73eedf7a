"""Cards that a seat learns while another holds them or nobody sees them, checked by witnesses.

Neither ``seen_by`` nor ``redeal`` is asked what is secret, for a game may be wrong in them. A card
is a seat's own when its view names it and a spectator's does not. It is a leak

* when an event names to a seat a card that another seat holds;
* when it names one that no view shows, unless it has just moved and only some may see it;
* when a view names a card that was named to other seats alone, or to nobody and no spectator sees.

A card is no secret of anybody whom it was shown before, whom the move names it, or for whom it was
turned up (``Event.face_up``). Everything is read as plain values, so an API can be judged as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.state_fields import cards_of_type, fields_of
from cardroom.rules.values import Event, Move, Seat, Setup

Reader = Seat | None
Plain = Mapping[str, Any]
Cards = set[str]


class Witnesses:
    """Follows one match, step by step, and names every leak."""

    def __init__(self, game: AnyGame, setups: Sequence[Setup]) -> None:
        self.game = game
        self.readers: list[Reader] = [*range(len(setups)), None]
        self._brought: dict[Reader, Cards] = {
            seat: set(one.side_deck or ()) for seat, one in enumerate(setups)
        }
        self._codes: Cards = set()  # of all cards that were in the state so far
        self._knows: dict[Reader, Cards] = {reader: set() for reader in self.readers}
        self._shown = self._knows  # by the views of the step before
        self._lay: dict[str, str] = {}  # the field of the state in which each card lay
        kept: type[msgspec.Struct] = game.state
        holding = [(name, cards_of_type(kind)) for name, kind in fields_of(kept).items()]
        self._fields = [(name, cards) for name, cards in holding if cards]
        events: tuple[type[Event], ...] = get_args(game.events) or (game.events,)
        self._types = {str(event.__struct_config__.tag): event for event in events}

    def leaks(
        self,
        state: Any,
        move: Move,
        events: Mapping[Reader, Sequence[Plain]],
        views: Mapping[Reader, Plain],
        decks: Iterable[Sequence[Any]] = (),
    ) -> list[str]:
        """The faults of a step: ``events`` its own and ``views`` those after it."""
        self._codes |= self._texts(self.game.cards(state))
        opens = any(self._type(event) is self.game.opening for event in events[None])
        shuffled = self._texts([card for deck in decks for card in deck])
        before = self._shown if opens else self._knows
        public = self._codes.intersection(self.game.public_move(move).split(" "))
        lie = {card: name for name, held in self._held(state) for card in held}
        named = {reader: self._since_opening(events[reader]) for reader in self.readers}
        shown = {reader: self._cards(_without_moves(views[reader])) for reader in self.readers}
        knew = {
            reader: before[reader] - shuffled | public | self._turned_up(events[reader])
            for reader in self.readers
        }
        leaks: list[str] = []
        for reader in self.readers:
            fine = knew[reader] | self._brought.get(reader, set())
            for card in sorted(named[reader] - shown[reader] - fine):
                moved = not opens and lie.get(card) != self._lay.get(card)
                leaks += self._named(reader, card, shown, moved and card not in named[None])
            for card in sorted(shown[reader] - named[reader] - fine):
                others = [r for r in self.readers if r != reader and card in named[r] | knew[r]]
                leaks += self._sees(reader, card, others, shown[None])
        self._knows = {r: knew[r] | named[r] | shown[r] for r in self.readers}
        self._lay, self._shown = lie, shown
        return leaks

    def _named(
        self,
        reader: Reader,
        card: str,
        shown: Mapping[Reader, Cards],
        taken: bool,  # noqa: FBT001 - it has just moved
    ) -> Iterator[str]:
        holders = [r for r in self.readers if card in shown[r] - shown[None]]
        if holders:
            yield f"{_name(reader)} was told {card}, which {_name(holders[0])} holds"
        elif not taken and not any(card in shown[r] for r in self.readers):
            yield f"{_name(reader)} was told {card}, which lies where nobody sees it"

    def _sees(
        self, reader: Reader, card: str, others: Sequence[Reader], public: Cards
    ) -> Iterator[str]:
        if others:
            yield f"{_name(reader)} sees {card}, of which only {_name(others[0])} was told"
        elif card not in public:
            yield f"{_name(reader)} sees {card}, of which nobody was told"

    def _type(self, event: Plain) -> type[Event]:
        return self._types.get(event["type"], Event)

    def _since_opening(self, events: Sequence[Plain]) -> Cards:
        """The cards named from the last opening on; before it another round came to its end."""
        kinds = [self._type(event) for event in events]
        opened = [at for at, kind in enumerate(kinds) if kind is self.game.opening]
        return self._cards(events[opened[-1] if opened else 0 :])

    def _turned_up(self, events: Sequence[Plain]) -> Cards:
        return self._cards([event for event in events if self._type(event).face_up])

    def _texts(self, cards: Iterable[Any]) -> Cards:
        return {self.game.card_text(card) for card in cards}

    def _held(self, state: Any) -> Iterator[tuple[str, Cards]]:
        """The cards in each field of the state."""
        for name, cards in self._fields:
            yield name, self._texts(cards.listed(getattr(state, name)))

    def _cards(self, value: Any) -> Cards:
        return {text for text in texts_in(value) if text in self._codes}


def _without_moves(view: Plain) -> list[Any]:
    return [view[name] for name in view if name != "legal_moves"]


def texts_in(value: Any) -> Iterator[str]:
    """Every text in plain values, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)


def _name(reader: Reader) -> str:
    return "a spectator" if reader is None else f"seat {reader}"
