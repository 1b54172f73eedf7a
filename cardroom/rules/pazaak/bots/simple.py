"""``beginner``: a person at the first table. It looks at its own total and trusts its feeling.

It wins 39 of 100 matches against a newcomer who reads both boards, 74 against ``rookie``, which
never looks at its rival, and 20 against ``gambler``:

    manage.py arena pazaak beginner tests.strength.newcomers:PAZAAK --matches 4000 --seed 1
    manage.py arena pazaak beginner rookie --matches 4000 --seed 1
    manage.py arena pazaak gambler beginner --matches 4000 --seed 1

``cheater``: the gambler's rule with the whole side deck to choose from (R25), and it says so.

``rookie``: draws below 17 and plays a card only to undo a bust.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot, Growth
from cardroom.rules.pazaak.bots.outlook import draws_by_itself, halves, plays, position_of
from cardroom.rules.pazaak.bots.professor import PROFESSOR
from cardroom.rules.pazaak.bots.six_rule import NO_CARD, choose_gambler, mend, move_of
from cardroom.rules.pazaak.bots.world import DRAW, END, PLAY, STAND, START, PazaakWorld
from cardroom.rules.pazaak.predicates import TARGET, is_bust
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.values import Event, Move

ENOUGH: Final = (15, 16, 17, 18, 19)  # what it stands on, by the feeling of the moment
REMEMBERS: Final = 0.8  # that a side card would undo a bust or make 20


def choose_beginner(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    total = halves(view)[0].total
    if view.phase == "turn_start":
        return "stand" if _is_content(view, rng) else "draw"
    wanted = [play for play in plays(view) if is_bust(total) or play.total == TARGET]
    safe = [play for play in wanted if total != TARGET and not is_bust(play.total)]
    if view.phase == "turn_play" and safe and rng.random() < REMEMBERS:
        return max(safe, key=lambda play: play.total).move
    if not draws_by_itself(view):
        return "pass"
    return "stand" if not is_bust(total) and _is_content(view, rng) else "end"


def _is_content(view: PazaakView, rng: Random) -> bool:
    """Whether the own total feels like enough, and no rival stands on more."""
    mine, rival = halves(view)
    is_behind = rival.standing and rival.total > mine.total
    return mine.total >= rng.choice(ENOUGH) and not is_behind


BEGINNER: Final[Bot[PazaakView]] = Bot(
    slug="beginner",
    name="Beginner",
    summary="Stands when its total feels like enough, and forgets a side card now and then.",
    level=2,
    choose=choose_beginner,
    growth=Growth(PROFESSOR, (0.0, 0.3, 0.52, 0.71, 0.86)),
)


def choose_cheater(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    """The view's legal moves hold every card left in the side deck, so the rule is the same."""
    return choose_gambler(view, events, rng)


CHEATER: Final[Bot[PazaakView]] = Bot(
    slug="cheater",
    name="Cheater",
    summary="Cheats openly: has no hand but picks from its whole side deck. Never rated.",
    level=3,
    choose=choose_cheater,
    rated=False,
)

ROOKIE_ENOUGH: Final = 17


def choose_rookie(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return move_of(view, *rookies_choice(position_of(view, view.to_act[0])))


def rookies_choice(world: PazaakWorld) -> tuple[int, int]:
    """The choice of ``rookie`` in a flat world: a card and its value, or ``DRAW``, ``STAND``…"""
    total, card, amount = world.total[world.turn], NO_CARD, 0
    if world.phase == PLAY and total > TARGET:
        card, amount = mend(world, 0)
    if card >= 0:
        return card, amount
    if world.phase == START:
        return (STAND if total >= ROOKIE_ENOUGH else DRAW), 0
    return (STAND if world.at_end and ROOKIE_ENOUGH <= total <= TARGET else END), 0


ROOKIE: Final[Bot[PazaakView]] = Bot(
    slug="rookie",
    name="Rookie",
    summary="Draws below 17, stands otherwise; plays a card only to undo a bust.",
    level=1,
    choose=choose_rookie,
    suggested=False,
)
