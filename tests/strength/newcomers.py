"""People at their first tables, as far as a few lines can play like them.

They have read the rules, see what lies open and play the obvious, and one time in ten they overlook
it. The ``beginner`` of each game must win about four matches in ten against them.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots.outlook import draws_by_itself, halves, plays
from cardroom.rules.pazaak.predicates import TARGET, is_bust
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.shithead.bots.simple import swap
from cardroom.rules.shithead.bots.world import PLACE
from cardroom.rules.shithead.predicates import PICKUP, READY
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move
from tests.strength.contest import Contest

OVERLOOKS: Final = 0.1
PILE: Final = 3  # cards that are worth a jack
ENOUGH: Final = 17  # to stand on in Pazaak


def pisti(view: PistiView, events: Sequence[Event], rng: Random) -> Move:
    """Captures by rank, a pile of three or more by a jack; else throws what scores nothing."""
    hand = view.legal_moves
    if view.top is not None and rng.random() >= OVERLOOKS:
        matching = [card for card in hand if card[0] == view.top[0]]
        if matching:
            return matching[0]
        jacks = [card for card in hand if card[0] == "J"]
        if jacks and (view.pile_size is None or view.pile_size >= PILE):
            return jacks[0]
    plain = [card for card in hand if card[0] not in "JA" and card not in ("2C", "TD")]
    return rng.choice(plain or [card for card in hand if card[0] != "J"] or hand)


def pazaak(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    """Stands from 17, unless a standing rival has more; a side card undoes a bust or makes 20."""
    mine, rival = halves(view)
    behind = rival.standing and rival.total > mine.total
    ahead = rival.standing and rival.total < mine.total
    content = not is_bust(mine.total) and (ahead or (mine.total >= ENOUGH and not behind))
    if view.phase == "turn_start":
        return "stand" if content else "draw"
    if view.phase == "turn_play" and mine.total != TARGET and rng.random() >= OVERLOOKS:
        safe = [play for play in plays(view) if not is_bust(play.total)]
        best = max(safe, key=lambda play: play.total, default=None)
        if best and (is_bust(mine.total) or best.total == TARGET):
            return best.move
    if not draws_by_itself(view):
        return "pass"
    return "stand" if content else "end"


def shithead(view: ShitheadView, events: Sequence[Event], rng: Random) -> Move:
    """Lays its best cards open and plays the lowest rank, all cards of it, the wild ones last."""
    attentive = rng.random() >= OVERLOOKS
    if view.phase == "exchange":
        return swap(view) if attentive else READY
    moves = [move for move in view.legal_moves if move != PICKUP] or list(view.legal_moves)
    if not attentive or moves[0].startswith(("blind", PICKUP)):
        return rng.choice(moves)
    lowest = min((move[0] for move in moves), key=PLACE.__getitem__)
    return [move for move in moves if move[0] == lowest][-1]


PISTI: Final = Bot("newcomer", "Newcomer", "", 1, pisti, rated=False)
PAZAAK: Final = Bot("newcomer", "Newcomer", "", 1, pazaak, rated=False)
SHITHEAD: Final = Bot("newcomer", "Newcomer", "", 1, shithead, rated=False)

ROWS = [
    Contest("pisti", PISTI, ["beginner"], 4000, 55).row(),
    Contest("pisti", "beginner", [PISTI], 4000, 33).row(),
    Contest("pisti", "greedy", ["beginner"], 4000, 55).row(),
    Contest("pazaak", PAZAAK, ["beginner"], 4000, 55).row(),
    Contest("pazaak", "beginner", [PAZAAK], 4000, 33).row(),
    Contest("pazaak", "gambler", ["beginner"], 4000, 65).row(),
    Contest("shithead", SHITHEAD, ["beginner"], 4000, 55, preset="traditional").row(),
    Contest("shithead", "beginner", [SHITHEAD], 4000, 33, preset="traditional").row(),
    Contest("shithead", "keeper", ["beginner"], 4000, 60, preset="traditional").row(),
]
