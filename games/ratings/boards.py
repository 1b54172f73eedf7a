"""What is rated apart: a game, how fast, between two sides or more, against people or computers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say
from games.matches.time_bank import Clock

BLITZ: Final = "blitz"
NORMAL: Final = "normal"
SLOW: Final = "slow"
MIRRORED: Final = "mirrored"  # sets of mirrored matches, whatever their pace
TWO: Final = "two"
MORE: Final = "more"
PEOPLE: Final = "people"
COMPUTERS: Final = "computers"

PACES: Final[dict[str, Words]] = {
    BLITZ: say("Blitz"),
    NORMAL: say("Normal"),
    SLOW: say("Slow"),
    MIRRORED: say("Mirrored"),
}
SIDES: Final[dict[str, Words]] = {TWO: say("Two sides"), MORE: say("More than two sides")}
OPPONENTS: Final[dict[str, Words]] = {
    PEOPLE: say("Against people"),
    COMPUTERS: say("Against computers"),
}

DAY: Final = 24 * 3600
BLITZ_SECONDS: Final = 30  # a move
BLITZ_BANK: Final = 300  # seconds of a clock


@dataclass(frozen=True, order=True)
class Board:
    """The text of it is stored: ``<slug>/normal/two/people``."""

    game: str
    pace: str = NORMAL
    sides: str = TWO
    opponents: str = PEOPLE

    def __str__(self) -> str:
        return f"{self.game}/{self.pace}/{self.sides}/{self.opponents}"


def find_board(text: str) -> Board:
    """Raises ``KeyError``."""
    parts = text.split("/")
    if len(parts) != 4:
        raise KeyError(text)
    game, pace, sides, opponents = parts
    if pace not in PACES or sides not in SIDES or opponents not in OPPONENTS:
        raise KeyError(text)
    return Board(game, pace, sides, opponents)


def pace_of(turn_seconds: int | None, clock: Clock | None) -> str:
    """A match without any limit is slow."""
    if clock is not None:
        return BLITZ if clock.bank <= BLITZ_BANK else NORMAL
    if turn_seconds is None or turn_seconds >= DAY:
        return SLOW
    return BLITZ if turn_seconds <= BLITZ_SECONDS else NORMAL


def boards_of(game: AnyGame) -> Iterator[Board]:
    """Every board that a game may have."""
    sizes = [TWO, MORE] if game.max_seats > 2 else [TWO]
    for opponents in OPPONENTS:
        for sides in sizes:
            for pace in PACES:
                if pace != MIRRORED or sides == TWO:
                    yield Board(game.slug, pace, sides, opponents)


def rated_games() -> list[AnyGame]:
    return [game for game in catalog.GAMES if not game.is_luck]
