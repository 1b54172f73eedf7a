"""A few short matches of a game that nobody here has tested: what would break a service, or tell
hands and stock.

No substitute for the contract tests, which its author runs: a process may wait for this at its
start. The matches are the same in every process.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Final

import msgspec

from cardroom.rules.cards import TEXT
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import RecordingShuffle, seeded
from cardroom.rules.values import AnyCard, Event, Options, Outcome, Seat, Setup, Step, View
from cardroom.rules.witnesses import Witnesses

SEEDS: Final = (1, 2)
PLIES: Final = 60
CHOICES_OF_OPTIONS: Final = 3  # the defaults and the first presets
MOST_SEATS: Final = 32


def try_out(game: AnyGame) -> Iterator[str]:
    """What is wrong with a game, each as the end of a sentence; what it raises is raised on."""
    yield from _limits(game)
    chosen = [game.options(), *islice(game.presets.values(), CHOICES_OF_OPTIONS - 1)]
    for options in chosen:
        for seed in SEEDS:
            for fault in _match(game, options, Random(seed)):
                yield f"{fault} (seed {seed} of its trial)"


def _limits(game: AnyGame) -> Iterator[str]:
    if not 1 <= game.min_seats <= game.max_seats <= MOST_SEATS:
        yield f"it seats {game.min_seats} to {game.max_seats}"
    if not any(bot.rated for bot in game.bots):
        yield "it has no bot that could play a seat on"


def _match(game: AnyGame, options: Options, rng: Random) -> Iterator[str]:
    seats = range(game.seats(options))
    setups = tuple(game.complete_setup(options, Setup(f"Seat {seat}")) for seat in seats)
    witnesses, decks = Witnesses(game, setups), RecordingShuffle(seeded(rng))
    step = game.start(options, setups, decks)
    for _ in range(PLIES):
        yield from _step(game, step, len(seats))
        outcome = game.outcome(step.state)
        if outcome is not None:
            yield from _end(outcome, len(seats), len(game.sides_of(options)))
            return
        yield from _shown(game, step, witnesses, decks.decks)
        to_act = game.to_act(step.state)
        yield from _can_go_on(game, step.state, to_act, len(seats))
        seat = rng.choice(to_act)
        decks.decks.clear()
        step = game.play(step.state, seat, rng.choice(game.legal_moves(step.state, seat)), decks)


def _step(game: AnyGame, step: Step[Any], seats: int) -> Iterator[str]:
    """What is stored and told of a step can be read again and said."""
    if game.decode_state(msgspec.json.encode(step.state)) != step.state:
        yield "a state is another one when it was stored and read"
    if game.decode_events(msgspec.json.encode(step.events)) != step.events:
        yield "events are other ones when they were stored and read"
    names = [f"Seat {seat}" for seat in range(seats)]
    for event in step.events:
        str(game.sentence(event, names))
    if not all(map(_is_ordinary, game.cards(step.state), _texts(game, step))):
        yield "a card is written in another way than records write it without the game"


def _texts(game: AnyGame, step: Step[Any]) -> Iterable[str]:
    return map(game.card_text, game.cards(step.state))


def _is_ordinary(card: AnyCard, text: str) -> bool:
    """Records of a game that is no longer installed can still be written: a card is a text, or the
    number of a playing card."""
    return text == (TEXT[card] if isinstance(card, int) and card < len(TEXT) else card)


def _shown(
    game: AnyGame, step: Step[Any], witnesses: Witnesses, decks: Sequence[Sequence[Any]]
) -> Iterator[str]:
    views: dict[Seat | None, Any] = {}
    shown: dict[Seat | None, list[Any]] = {}
    for reader in witnesses.readers:
        view = game.view(step.state, reader)
        if not isinstance(view, View) or view.seat != reader:
            yield "a view is none of its reader's"
        views[reader] = _plain(view)
        shown[reader] = [_plain(_seen(event, reader)) for event in step.events]
    yield from witnesses.leaks(step.state, step.move, shown, views, decks)


def _plain(value: View | Event) -> Any:
    """As it is sent."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _seen(event: Event, reader: Seat | None) -> Event:
    return event.seen_by(reader)


def _can_go_on(game: AnyGame, state: Any, to_act: Sequence[Seat], seats: int) -> Iterator[str]:
    if not to_act:
        yield "nobody is to act in a match that is not over"
    if list(to_act) != sorted(set(to_act) & set(range(seats))):
        yield "who is to act are not seats in ascending order"
    for seat in to_act:
        moves = game.legal_moves(state, seat)
        if not moves or not all(isinstance(move, str) for move in moves):
            yield "a seat that is to act has no legal move"
        for move in moves:
            str(game.label(move))


def _end(outcome: Outcome, seats: int, sides: int) -> Iterator[str]:
    if len(outcome.places) != seats or len(outcome.points) != sides:
        yield "its outcome has not a place a seat and points a side"
