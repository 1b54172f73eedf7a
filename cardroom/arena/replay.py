"""One match of a series played again by the rules, move by move, in words."""

from collections.abc import Iterator
from random import Random
from typing import Any

from cardroom.arena.errors import BadRequest, BotFault
from cardroom.arena.players.entrants import Entrant
from cardroom.arena.playouts import MatchInPlay
from cardroom.arena.series import MatchRecord, Series, generator
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Step


def read_number(text: str) -> tuple[int, int]:
    """``SEED:NUMBER``, as a fault and a match's record name it."""
    seed, colon, number = text.partition(":")
    if not (colon and seed.isdecimal() and number.isdecimal()):
        raise BadRequest(f"A match is named SEED:NUMBER, as 7:250, not {text!r}.")
    return int(seed), int(number)


def replay(matches: Series, number: int) -> MatchRecord:
    """The record of the match, as it was the first time."""
    return matches.record_of(number, matches.play(number))


def tell(matches: Series, number: int) -> Iterator[str]:
    """The match in lines as it is played; cards that only some seats know are named.

    When a bot breaks the rules the ``BotFault`` follows the last move before it.
    """
    deal, rotation = divmod(number, len(matches.seatings))
    seating = matches.seatings[rotation]
    chance, rng = generator(matches.seed, "decks", deal), generator(matches.seed, "bots", number)
    match = MatchInWords(matches, seating, seeded(chance), rng)
    match.begin(matches.options, matches.setups[rotation])
    while True:
        try:
            played = match.play(lambda: True)
        except Exception as error:
            yield from match.take()
            fault = error if isinstance(error, BotFault) else match.fault_in(error)
            if fault is None:
                raise
            raise fault from error
        yield from match.take()
        if played is not None:
            break
    record = matches.record_of(number, played)
    yield f"{record.reason}: points {record.points}, places {record.places}"


class MatchInWords(MatchInPlay):
    """A match that keeps what happens in words until it is taken."""

    def __init__(
        self, matches: Series, seating: tuple[Entrant, ...], shuffle: Any, rng: Random
    ) -> None:
        super().__init__(matches.game, [each.bot for each in seating], shuffle, rng)
        self._narrator, self._lines = matches.game, list[str]()
        self._names = [f"{each.name} ({seat})" for seat, each in enumerate(seating)]
        self._ply = 0

    def _record(self, step: Step[Any]) -> None:
        super()._record(step)
        sentences = [str(self._narrator.sentence(event, self._names)) for event in step.events]
        start = f"{self._ply:>4} {step.move:<8} "
        self._ply += 1
        self._lines += [
            (start if at == 0 else " " * len(start)) + s for at, s in enumerate(sentences)
        ]

    def take(self) -> list[str]:
        lines, self._lines = self._lines, []
        return lines
