"""``gambler``: the six-step rule of the cantina, a step a function, the first that answers counts.

Stand on 20; undo a bust; take 20 when one card makes it; beat a standing rival as cheaply as
possible; stand on 18; else draw on. It does not stand on 17 while the rival draws on: with that
it wins 41 of 100 matches against this rule.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots.chances import Play, draws_by_itself, halves, plays, worth
from cardroom.rules.pazaak.predicates import PLACES, TARGET, Board, has_tiebreaker, is_bust
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.values import Event, Move

GOOD: Final = 18


def choose(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    if view.phase == "turn_start":
        return "stand" if is_content(view) else "draw"
    if view.phase == "turn_play":
        card = best_card(view, plays(view))
        if card:
            return card.move
    if not draws_by_itself(view):
        return "pass"
    return "stand" if is_content(view) else "end"


def is_content(view: PazaakView) -> bool:
    """Whether to stand on what lies there."""
    mine, rival = halves(view)
    if mine.total == TARGET:
        return True
    if is_bust(mine.total):
        return False
    if rival.standing:
        ahead = beats(mine.total, mine.board, rival, view.options.tiebreaker_scope)
        return ahead or (mine.total == rival.total and mine.total >= GOOD)
    return mine.total >= GOOD


def best_card(view: PazaakView, cards: Sequence[Play]) -> Play | None:
    """The card to play after the draw, if any."""
    mine, rival = halves(view)
    safe = [card for card in cards if not is_bust(card.total)]
    if is_bust(mine.total):
        return max(safe, key=_highest, default=None)
    if mine.total == TARGET or len(mine.board) == PLACES:
        return None
    making = [card for card in safe if card.total == TARGET]
    if not making and rival.standing:
        making = _beating(view, mine, rival, safe)
    return min(making, key=_cheapest, default=None)


def _beating(
    view: PazaakView, mine: HalfView, rival: HalfView, cards: Sequence[Play]
) -> list[Play]:
    scope = view.options.tiebreaker_scope
    if beats(mine.total, mine.board, rival, scope):
        return []
    return [card for card in cards if beats(card.total, card.board, rival, scope)]


def beats(total: int, board: Board, rival: HalfView, scope: str) -> bool:
    """Whether standing with this wins against what the rival stands on."""
    if total != rival.total:
        return total > rival.total
    return has_tiebreaker(board, scope) and not has_tiebreaker(rival.board, scope)


def _highest(card: Play) -> tuple[int, int]:
    return card.total, -worth(card.code)


def _cheapest(card: Play) -> tuple[int, int]:
    return worth(card.code), card.total


GAMBLER: Final[Bot[PazaakView]] = Bot(
    slug="gambler",
    name="Gambler",
    summary="Takes 20 when a card makes it, undoes busts, beats a standing rival cheaply.",
    level=3,
    choose=choose,
)
