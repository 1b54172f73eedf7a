"""What a round's result is worth: the chance to win the match from there, cards left included."""

from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from games.rules.pazaak.bots.chances import halves
from games.rules.pazaak.side_cards import DECK_SIZE
from games.rules.pazaak.view import HalfView, PazaakView

_SLOPE = 3.5  # with _BASE fitted to rounds between unequal hands: log-odds of a decided round
_BASE = 4.0
_FAR = 99  # rounds left where there is no limit


class Prospects(NamedTuple):
    """The chance to win the match after this round, and what a side card spent in it costs."""

    win: float
    tie: float
    loss: float
    price: float  # of an own card
    gain: float  # from a card that the rival spends


def prospects(view: PazaakView) -> Prospects:
    mine, rival = halves(view)
    cards, others = _next_hand(view, mine), _next_hand(view, rival)
    win, tie, loss = _after(view, cards, others)
    price = _mean(win, tie, loss) - _mean(*_after(view, cards - 1, others))
    gain = _mean(*_after(view, cards, others - 1)) - _mean(win, tie, loss)
    return Prospects(win, tie, loss, price, gain)


def _mean(win: float, tie: float, loss: float) -> float:
    return 0.35 * win + 0.3 * tie + 0.35 * loss


def _next_hand(view: PazaakView, half: HalfView) -> int:
    """The side cards the half can choose from in the next round if it plays none now (R5, R25)."""
    held = half.cards_in_hand if half.allowance is None else half.allowance
    if view.options.hand_rule == "once":
        return held
    return held + min(4, max(0, DECK_SIZE - len(half.played) - held))


def _after(view: PazaakView, cards: int, others: int) -> tuple[float, float, float]:
    """The chance to win the match after a round won, tied, lost."""
    options = view.options
    mine, rival = halves(view)
    need, rivals_need = options.rounds_to_win - mine.wins, options.rounds_to_win - rival.wins
    left = _FAR if options.max_rounds is None else options.max_rounds - view.round_no
    share = round(1 / (1 + exp(_strength(others) - _strength(cards))), 3)
    return (
        match_chance(need - 1, rivals_need, left, share),
        match_chance(need, rivals_need, left, share),
        match_chance(need, rivals_need - 1, left, share),
    )


def _strength(cards: int) -> float:
    return _SLOPE * log(1 + max(cards, 0) / _BASE)


@lru_cache(maxsize=4096)
def match_chance(need: int, rivals_need: int, left: int, share: float) -> float:
    """The chance to win ``need`` decided rounds first, each won with chance ``share``.

    With no round left more wins take the match, and equal wins are half a win (``max_rounds``).
    """
    if need <= 0 or rivals_need <= 0 or left <= 0:
        return 0.5 + 0.5 * ((need < rivals_need) - (need > rivals_need))
    left = min(left, need + rivals_need) if left == _FAR else left
    return share * match_chance(need - 1, rivals_need, left - 1, share) + (
        1 - share
    ) * match_chance(need, rivals_need - 1, left - 1, share)
