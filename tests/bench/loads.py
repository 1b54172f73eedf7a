"""The cost of a load of a long match: time of the database, time of the caller, bytes that stay.

A process of its own, ``python -m tests.bench.loads 15000``. Each line: what was loaded from how
long a match, milliseconds of processor time of the database's process and of this one, bytes of
the rows written. The first line is the worst of the others. Postgres runs on this machine.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import django

if TYPE_CHECKING:
    from accounts.models import User
    from games.matches.snapshot import MatchSnapshot

TIMES: Final = 7
PLIES: Final = 15_000
LONG: Final[dict[str, dict[str, Any]]] = {
    "pisti": {"target_score": 10_000},
    "pazaak": {"rounds_to_win": 9, "max_rounds": 99},
    "shithead": {"games": 50},
    "pyanitsa": {  # goes round for ever
        "max_tricks": 100_000,
        "collect_to": "bottom",
        "collect_order": "as_laid",
        "leader": "fixed",
    },
}


class Cost(NamedTuple):
    database: float
    caller: float
    written: int

    def __str__(self) -> str:
        return f"{self.database:7.1f} ms {self.caller:7.1f} ms {self.written:7} bytes"


def main(plies: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from accounts import services
    from cardroom.rules import catalog

    user, found = services.open_guest(), dict[str, Cost]()
    for game in catalog.GAMES:
        for length in (30, plies):
            match = long_match(user, game.slug, length)
            for name, cards, version in points(match):
                label = f"{game.slug} of {match.version} plies, {name}, {cards}"
                found[label] = cost(match, user, cards, version)
    print("worst", Cost(*map(max, zip(*found.values(), strict=True))))
    for label, each in found.items():
        print(f"{label:56} {each}")


def points(match: "MatchSnapshot") -> Iterator[tuple[str, str, int]]:
    from games.matches.selectors.lists import rounds_of

    saves = rounds_of(match)
    for cards in ("same", "reshuffled"):
        yield "newest", cards, match.version
        yield "a save", cards, saves[len(saves) // 2].opening_version
        yield "the middle", cards, match.version // 2


def long_match(user: "User", game: str, plies: int) -> "MatchSnapshot":
    """A running match of so many plies, or of the longest of some that end before."""
    found = (_played(user, game, plies, Random(seed)) for seed in range(TIMES))
    tried: list[MatchSnapshot] = []
    for match in found:
        tried.append(match)
        if not match.is_over:
            break
    return max(tried, key=lambda match: match.version)


def _played(user: "User", game: str, plies: int, rng: Random) -> "MatchSnapshot":
    from games.matches.selectors.access import get_match
    from tests.matches.scenes import opened, played_on

    match = opened(user, "me, local Neighbour", game, options=LONG[game])
    return played_on(get_match(match.id), plies, rng)


def cost(match: "MatchSnapshot", user: "User", cards: Any, version: int) -> Cost:
    """The least of some loads, which is what it takes beside nothing else; each is called off."""
    from config.refusals import Refusal

    taken = []
    for _ in range(TIMES):
        try:
            taken.append(_one(match, user, cards, version))
        except Refusal:
            return Cost(0, 0, 0)
    return Cost(*(min(column) for column in zip(*taken, strict=True)))


def _one(match: "MatchSnapshot", user: "User", cards: Any, version: int) -> Cost:
    from django.db import connection

    from games.matches import loading
    from tests.matches.scenes import called_off

    backend = connection.connection.info.backend_pid
    database, caller = _processor_time(backend), time.process_time()
    new = loading.load(match_id=match.id, user=user, cards=cards, version=version)
    caller = time.process_time() - caller
    database = _processor_time(backend) - database
    with connection.cursor() as cursor:
        cursor.execute(_WRITTEN, [new.id] * 4)
        written = cursor.fetchone()[0]
    called_off(new)
    return Cost(database * 1000, caller * 1000, written)


def _processor_time(process: int) -> float:
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


_WRITTEN = """
SELECT (SELECT pg_column_size(m.*) FROM games_match m WHERE id = %s)
    + (SELECT coalesce(sum(pg_column_size(s.*)), 0) FROM games_seat s WHERE match_id = %s)
    + (SELECT coalesce(sum(pg_column_size(p.*)), 0) FROM games_ply p WHERE match_id = %s)
    + (SELECT coalesce(sum(pg_column_size(r.*)), 0) FROM games_round r WHERE match_id = %s)
"""

if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else PLIES)
