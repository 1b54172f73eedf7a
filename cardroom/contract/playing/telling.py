"""All that one reader is told at a position: the view and whatever is made of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from cardroom.contract.playing.sitting import NAMES
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Seat, View


def account(
    game: AnyGame, view: View, seat: Seat | None, events: Sequence[Event] = ()
) -> dict[str, Any]:
    """View, events, sentences, labels, numbers and notes as plain values, to be compared."""
    seen = [event.seen_by(seat) for event in events]
    return {
        "view": msgspec.to_builtins(view),
        "events": [msgspec.to_builtins(event) for event in seen],
        "sentences": [str(game.sentence(event, NAMES, seat)) for event in seen],
        "labels": [str(game.label(move)) for move in view.legal_moves],
        "numbers": [] if game.observe is None else list(game.observe(view)),
        "actions": dict(game.actions.among(view.legal_moves)) if game.actions else {},
        "notes": {name: words.description() for name, words in game.option_words.items()},
    }


def texts_in(value: Any) -> Iterator[str]:
    """Every text in plain values, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
