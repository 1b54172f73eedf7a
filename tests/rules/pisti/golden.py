"""The golden match: everything that was dealt, played, told and seen, as lines of JSON.

The test plays the moves of the file again and compares each line, so whatever changes in the
rules, the events or the views shows in a diff. To write the file anew, its moves chosen by the
bots: ``python -m tests.rules.pisti.golden``.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from games.rules.pisti import PISTI
from games.rules.pisti.state import PistiState
from games.rules.shuffles import Sealed, commitment
from games.rules.values import Event, Move, Seat, Setup, Step

FILE = Path(__file__).parent / "golden" / "classic.jsonl"
SEED = bytes(range(32))
BOTS = ("counter", "greedy")
BATCH_PLAYS = 8

Choice = Callable[[PistiState, list[Event]], Move]


def lines(choose: Choice) -> Iterator[str]:
    """The whole match in text; ``choose`` gets the state and all events so far."""
    options = PISTI.choose_options()
    shuffle = Sealed(SEED)
    step = PISTI.start(options, tuple(map(Setup, BOTS)), shuffle)
    yield _line(game=PISTI.slug, seed=SEED.hex(), commitment=commitment(SEED), options=options)
    yield _line(ply=0, events=step.events)
    yield from _views(step.state)
    told = list(step.events)
    ply = 0
    while seats := PISTI.to_act(step.state):
        ply += 1
        step = PISTI.play(step.state, seats[0], choose(step.state, told), shuffle)
        told += step.events
        yield _ply(ply, seats[0], step)
        if step.state.over or step.state.plays_made % BATCH_PLAYS == 0:
            yield from _views(step.state)
    yield _line(outcome=PISTI.outcome(step.state))


def replayed(moves: list[Move]) -> list[str]:
    rest = iter(moves)
    return list(lines(lambda state, told: next(rest)))


def moves_of(text: str) -> list[Move]:
    read = map(msgspec.json.decode, text.splitlines())
    return [line["move"] for line in read if "move" in line]


def _ply(ply: int, seat: Seat, step: Step[PistiState]) -> str:
    scored = {} if step.scores is None else {"scores": step.scores}
    return _line(ply=ply, seat=seat, move=step.move, events=step.events, **scored)


def _views(state: PistiState) -> Iterator[str]:
    for seat in (0, 1, None):
        seen = msgspec.to_builtins(PISTI.view(state, seat))
        del seen["options"]  # the same in every view and in the first line
        yield _line(view=seen)


def _line(**values: Any) -> str:
    return msgspec.json.encode(values).decode()


def _chosen_by_bots() -> Choice:
    rng = Random(1)

    def choose(state: PistiState, told: list[Event]) -> Move:
        seat = state.to_play
        bot = PISTI.bot(BOTS[seat])
        seen = [event.seen_by(seat) for event in PISTI.recent_events(told, bot.remembers)]
        return bot.choose(PISTI.view(state, seat), seen, rng)

    return choose


if __name__ == "__main__":
    FILE.write_text("\n".join(lines(_chosen_by_bots())) + "\n", encoding="utf-8")
    print(f"{FILE}: {len(moves_of(FILE.read_text(encoding='utf-8')))} moves.")
