"""Pişti: what each level must win against the one below and plain searches; matches to 151.

Two seats share 50 %. Among three or four, one searcher against the others, the even share is 33 or
25 %, and a row asks for the same odds against each of them as so many percent are against one. In
teams both partners search, and the even share is 50 % again. Against `counter` four seats ask for
less than two and three do, as more of the cards are luck: ``best_reply`` says how much is left.

The plain search is compiled too. ``FIVE_TIMES`` is how many worlds between two take it at least
five times the processor time of a searcher's move, also while both cores are busy and the searcher,
who uses more memory, is slowed down more. That row plays a quarter of both sides' playouts; it is
the searcher who loses by that (RESULTS.md says how much).

At more than two seats five times the time are 70,000 worlds and a match takes minutes, so the rows
play the plain search with a quarter of them. ``more_worlds`` says how little the others bring it.

Matches are few, so that all rows take less than ten minutes on the reference core; many of them
stay undecided. `STRENGTH_SCALE=10` plays more of them. In pure Python a table gives a move 2,000 ms
for all playouts; its row asks for an eighth of them in a sixteenth of the time.
"""

from typing import Any, Final

from cardroom.rules.bot import Bot
from cardroom.rules.pisti.bots.searcher import PLAYOUTS
from tests.strength.contest import Contest
from tests.strength.opponents.flat_pisti import flat
from tests.strength.without_luck import WithoutLuck

FIVE_TIMES: Final = 48_000
ENOUGH_AMONG_MORE: Final = 17_500
THREE: Final = {"players": 3}
TEAMS: Final = {"players": 4, "teams": True}
QUARTER: Final = f"searcher:playouts={PLAYOUTS // 4}"
EIGHTH: Final = f"searcher:playouts={PLAYOUTS // 8}"
SHORT: Final = {"target_score": 51}
PLAIN: Final = flat(FIVE_TIMES // 4)
PLAIN_AMONG_MORE: Final = flat(ENOUGH_AMONG_MORE)


def odds(percent: float, players: int) -> float:
    """The share of one of so many that wins from each other as often as this from one."""
    return round(100 * percent / (percent + (100 - percent) * (players - 1)), 1)


def among_more(
    bot: str, rival: str | Bot[Any], percents: tuple[float, float, float], matches: int
) -> list[Contest]:
    """The bot at three seats, at four, and in teams; the percents are those against one rival."""
    three, four, teams = percents
    return [
        Contest("pisti", bot, [rival] * 2, matches, odds(three, 3), options=THREE),
        Contest("pisti", bot, [rival] * 3, matches, odds(four, 4), preset="four"),
        Contest("pisti", bot, [rival, bot, rival], matches, teams, options=TEAMS),
    ]


ROWS = [
    WithoutLuck("pisti", "searcher", ["counter"], 20, 78).row(),
    Contest("pisti", "searcher", ["greedy"], 20, 92).row(),
    Contest("pisti", "counter", ["greedy"], 1000, 60).row(),
    Contest("pisti", "greedy", ["random"], 1000, 60).row(),
    Contest("pisti", "searcher", ["counter"], 4).pace(20, compiled=True),
    Contest("pisti", EIGHTH, ["counter"], 1, options=SHORT).pace(125, compiled=False),
    Contest("pisti", "searcher", [flat(200, "random")], 12, 50).row(),
    Contest("pisti", "searcher", [flat(200)], 12, 50).row(),
    Contest("pisti", "searcher", [flat(1000)], 10, 50).row(),
    WithoutLuck("pisti", QUARTER, [PLAIN], 20, 62).row(),
    *[contest.row() for contest in among_more("searcher", "counter", (78, 60, 60), 24)],
    *[contest.row() for contest in among_more("searcher", PLAIN_AMONG_MORE, (62, 62, 62), 8)],
]
