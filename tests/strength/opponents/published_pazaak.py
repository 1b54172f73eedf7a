"""Rules of thumb for Pazaak as others have written them down, each read off the seat's view.

``SIX_RULES``: stand on 20; undo a bust with the best card; take 20 if a card makes it; beat a
standing rival as cheaply as possible, or tie it with a tiebreaker; stand on 18, or on 17 with the
rival lower; else draw. Word for word: it stands on 18 even if a standing rival has more, and the
cheapest card is the smallest.

``EAGER``: as many programs for this game do, it plays any card that lifts it to 18, 19 or 20, the
highest first, stands from 17 on, and minds the rival only once it stands.

``HIT_FACTOR``: from a guide to the game's first version: draw while the chance of 19 or 20 is not
less than that of a bust, so up to 12, or as long as a card in the hand undoes most busts.

``LOW_STAND``: ``gambler`` as it was until its rule was measured: it stood on 17, too, while its
rival drew on with less.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots import six_rule
from cardroom.rules.pazaak.bots.outlook import Play, draws_by_itself, halves, plays
from cardroom.rules.pazaak.predicates import (
    MAIN_PACK,
    PLACES,
    TARGET,
    Board,
    has_tiebreaker,
    is_bust,
)
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.values import Event, Move

LEAST_EAGER: Final = 18
CAREFUL: Final = 17
DRAWS: Final = 12
MENDS: Final = 4  # a card that takes off as much undoes most busts


def six_rules(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    mine, rival = halves(view)
    if view.phase == "turn_play":
        card = _mending(view) or _making(view, TARGET) or _beating(view)
        if card:
            return card.move
    low = mine.total == CAREFUL and rival.total < CAREFUL
    ahead = rival.standing and _beats(view, mine.total)
    return _end(view, content=mine.total > CAREFUL or low or ahead)


def eager(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    mine, rival = halves(view)
    if view.phase == "turn_play":
        card = _mending(view) or _making(view, LEAST_EAGER) or _beating(view)
        if card:
            return card.move
    enough = _beats(view, mine.total) if rival.standing else mine.total >= CAREFUL
    return _end(view, content=enough)


def hit_factor(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    mine, rival = halves(view)
    if view.phase == "turn_play":
        card = _mending(view) or _making(view, TARGET - 1) or _beating(view)
        if card:
            return card.move
    if rival.standing:
        return _end(view, content=_beats(view, mine.total))
    mends = any(code[0] == "M" and int(code[1]) >= MENDS for code in view.hand or ())
    return _end(view, content=mine.total > (CAREFUL if mends else _last_to_draw_on()))


def low_stand(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    mine, rival = halves(view)
    move = six_rule.choose_gambler(view, events, rng)
    stands = mine.total == CAREFUL and rival.total < CAREFUL and not rival.standing
    return "stand" if stands and move in ("draw", "end") else move


def _last_to_draw_on() -> int:
    """The highest total on which 19 or 20 is no less likely than a bust."""
    chances = {
        total: sum((total + card in (19, 20)) - is_bust(total + card) for card in MAIN_PACK)
        for total in range(TARGET)
    }
    return max(total for total, factor in chances.items() if factor >= 0)


def _end(view: PazaakView, *, content: bool) -> Move:
    content = content and not is_bust(halves(view)[0].total)
    if view.phase == "turn_start":
        return "stand" if content else "draw"
    if not draws_by_itself(view):
        return "pass"
    return "stand" if content else "end"


def beats(total: int, board: Board, rival: HalfView, scope: str) -> bool:
    """Whether standing with this wins against what the rival stands on."""
    if total != rival.total:
        return total > rival.total
    return has_tiebreaker(board, scope) and not has_tiebreaker(rival.board, scope)


def _safe(view: PazaakView) -> list[Play]:
    return [play for play in plays(view) if not is_bust(play.total)]


def _mending(view: PazaakView) -> Play | None:
    if not is_bust(halves(view)[0].total):
        return None
    return max(_safe(view), key=lambda play: play.total, default=None)


def _making(view: PazaakView, least: int) -> Play | None:
    mine = halves(view)[0]
    if mine.total >= least or len(mine.board) == PLACES:
        return None
    makes = [play for play in _safe(view) if play.total >= least]
    return max(makes, key=lambda play: play.total, default=None)


def _beating(view: PazaakView) -> Play | None:
    """The smallest lift that beats a standing rival, or a tiebreaker that ties it."""
    mine, rival = halves(view)
    if not rival.standing or is_bust(mine.total) or _beats(view, mine.total):
        return None
    scope = view.options.tiebreaker_scope
    ahead = [play for play in _safe(view) if beats(play.total, play.board, rival, scope)]
    return min(ahead, key=lambda play: play.total, default=None)


def _beats(view: PazaakView, total: int) -> bool:
    mine, rival = halves(view)
    return beats(total, mine.board, rival, view.options.tiebreaker_scope)


SIX_RULES: Final = Bot("six_rules", "Six rules", "", 3, six_rules, rated=False)
EAGER: Final = Bot("eager", "Eager", "", 3, eager, rated=False)
HIT_FACTOR: Final = Bot("hit_factor", "Hit factor", "", 3, hit_factor, rated=False)
LOW_STAND: Final = Bot("low_stand", "Low stand", "", 3, low_stand, rated=False)
