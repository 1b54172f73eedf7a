"""Cards, events, states and views: nothing is lost, nothing comes back otherwise."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

import msgspec

from cardroom.contract.playing.luck import Luck
from cardroom.contract.playing.sitting import Sitting, counted, encoded, positions
from cardroom.contract.reporting.check import check, require, same
from cardroom.rules import position
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Step

ENVELOPE: Final = {"version", "by", "move", "type"}  # what the log and the API write beside fields


@check("No card is lost, doubled or made up.", examples=15)
def cards_are_conserved(game: AnyGame, luck: Luck) -> None:
    conserves(game, positions(game, luck, 150))


def conserves(game: AnyGame, steps: Iterable[tuple[Sitting, Step[Any]]]) -> None:
    before: Counter[str] = Counter()
    for sitting, step in steps:
        now = counted(game, game.cards(step.state))
        if game.distinct_cards:
            _every_card_is_once(game, step, before, now)
            _is_as_dealt(game, sitting, now, opens=game.opening in map(type, step.events))
        elif game.opening not in map(type, step.events):
            gone, come = before - now, now - before
            require(not come, f"{step.move}: from nowhere came {', '.join(come)}")
            spent = [card for card in gone if step.move.startswith(card)]
            require(len(spent) == gone.total() <= 1, f"{step.move}: lost is {', '.join(gone)}")
        before = now


def _every_card_is_once(
    game: AnyGame, step: Step[Any], before: Counter[str], now: Counter[str]
) -> None:
    require(now, "the state holds no card")
    twice = [card for card, times in now.items() if times > 1]
    require(not twice, f"{step.move}: these cards lie in two places: {', '.join(twice)}")
    if game.opening not in map(type, step.events):
        gone, come = sorted(before - now), sorted(now - before)
        require(not gone, f"{step.move}: these cards are lost: {', '.join(gone)}")
        require(not come, f"{step.move}: these cards came from nowhere: {', '.join(come)}")


def _is_as_dealt(game: AnyGame, sitting: Sitting, now: Counter[str], *, opens: bool) -> None:
    decks = sitting.history[-1].decks
    lost = {game.card_text(card) for deck in decks[-1:] for card in deck} - now.keys()
    require(not lost, f"dealt, but not in the state: {', '.join(sorted(lost))}")
    if opens:
        unshuffled = now.keys() - {game.card_text(card) for deck in decks for card in deck}
        require(not unshuffled, f"in no shuffled deck: {', '.join(sorted(unshuffled))}")


def comes_back(value: Any, decode: Callable[[bytes], Any], what: str) -> None:
    data = encoded(value)
    same(decode(data), value, what)
    require(decode(data) == value, f"{what}: what is read is not equal to what was written")
    require(encoded(decode(data)) == data, f"{what}: other bytes are written again")


@check("States, events, options and views come back from their bytes and from their text.",
       examples=10)  # fmt: skip
def values_come_back(game: AnyGame, luck: Luck) -> None:
    decode_view = msgspec.json.Decoder(game.view_type).decode
    for sitting, step in positions(game, luck, 60):
        comes_back(step.state, game.decode_state, "state")
        comes_back(step.events, game.decode_events, "events")
        comes_back(sitting.options, game.decode_options, "options")
        line = position.write(game, step.state)
        same(position.read(game, line), step.state, "the state read from its line of text")
        for seat in (*range(len(sitting.setups)), None):
            comes_back(game.view(step.state, seat), decode_view, f"the view of {seat}")
            for event in step.events:
                seen = event.seen_by(seat)
                kind = type(seen).__name__
                require(type(seen) is type(event), f"{seat} sees another event: {kind}")
                same(seen.seen_by(seat), seen, f"{kind} seen by {seat}, and once more")


@check("No field of an event has the name of one of its envelope's.")
def no_field_is_one_of_the_envelope(game: AnyGame, _luck: Luck) -> None:
    events: tuple[type[Event], ...] = get_args(game.events) or (game.events,)
    taken = [
        f"{event.__name__}.{name}"
        for event in events
        for name in event.__struct_encode_fields__
        if name in ENVELOPE
    ]
    names = ", ".join(sorted(ENVELOPE))
    require(not taken, f"{', '.join(taken)}: an event may not have a field named {names}")


@check("The opening event is told once at the beginning of each round, and only there.",
       examples=10)  # fmt: skip
def a_round_begins_with_its_opening(game: AnyGame, luck: Luck) -> None:
    for _, step in positions(game, luck, 400):
        opened = [type(event) for event in step.events].count(game.opening)
        begins = step.move == "" or (step.scores is not None and game.outcome(step.state) is None)
        name = game.opening.__name__
        require(opened == begins, f"{step.move!r}: {name} is told {opened} times, not {begins:d}")
