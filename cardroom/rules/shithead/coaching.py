"""The effects of a play on the next seat, for those who explain a match.

The themes of exercises of Shithead, the most special one first.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from cardroom.rules.cards import CARD, RANK, TEN
from cardroom.rules.option import Theme, Themes
from cardroom.rules.search import copy_into
from cardroom.rules.shithead.bots import world as choices
from cardroom.rules.shithead.bots.belief import Known, believed, deal_unknown
from cardroom.rules.shithead.bots.searcher import choice_of
from cardroom.rules.shithead.bots.world import ShitheadWorld
from cardroom.rules.shithead.predicates import PICKUP, burn_reason, is_wild, parse
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.text import Phrase, card_names, say, say_n
from cardroom.rules.values import Event, Move, Reason, Reasons, percent

WORLDS: Final = 100


def reasons_of(
    view: ShitheadView, events: Sequence[Event], rng: Random, moves: Sequence[Move]
) -> Mapping[Move, Reason]:
    if view.phase != "play":
        return {}
    known = believed(view, events)
    worlds = [_dealt(rng, known) for _ in range(WORLDS)]
    reasons = {move: _reason(view, worlds, move) for move in moves if not move.startswith("blind")}
    return {move: reason for move, reason in reasons.items() if reason is not None}


def _dealt(rng: Random, known: Known) -> ShitheadWorld:
    worlds = [ShitheadWorld()]
    copy_into(worlds, 0, known.worlds[0])
    deal_unknown(rng, known, worlds[0])
    return worlds[0]


def _reason(view: ShitheadView, worlds: Sequence[ShitheadWorld], move: Move) -> Reason | None:
    if move == PICKUP:
        return Reason("picks_up", {"cards": len(view.pile)})
    stopped = []
    for world in worlds:
        played = [ShitheadWorld()]
        copy_into(played, 0, world)
        choices.make(played[0], choice_of(view, move))
        if played[0].turn != world.me:
            stopped += _is_stopped(played[0])
        elif not played[0].pile:
            return Reason("burns", {"cards": move})
    if not stopped:
        return None
    return Reason("stops", {"cards": move, "percent": percent(sum(stopped), len(stopped))})


def _is_stopped(world: ShitheadWorld) -> list[bool]:
    """Whether nothing may be played; empty for a seat that has hidden cards only."""
    held = world.hands[world.turn] or world.tops[world.turn]
    return [not held & world.masks[world.t]] if held else []


def words(reason: Reason) -> Phrase:
    values = reason.values
    if reason.kind == "picks_up":
        return say_n(
            "Picking up takes {n} card into the hand.",
            "Picking up takes {n} cards into the hand.",
            int(values["cards"]),
        )
    cards = card_names(str(values["cards"]).split(" "), separator=" ")
    if reason.kind == "burns":
        return say("{cards} burns the pile and gives another turn.", cards=cards)
    return say(
        "In {percent} % of the possible worlds the next player has nothing to play on {cards}.",
        cards=cards,
        percent=values["percent"],
    )


REASONS: Final = Reasons(reasons_of, words)


def themes_of(
    view: ShitheadView,
    events: Sequence[Event],  # noqa: ARG001 - the pile and what is open lie in the view
    moves: Sequence[Move],
) -> str | None:
    best, tempting = moves[:2]
    if PICKUP in (best, tempting):
        return "picking_up"
    ranks = [_rank(move) for move in (best, tempting)]
    if ranks[0] != ranks[1] and TEN in ranks:
        return "tens"
    if _burns(view, best) != _burns(view, tempting):
        return "burning"
    if ranks[0] == ranks[1]:
        return "how_many"
    if any(map(is_wild, ranks)):
        return "keeping_specials"
    return "last_cards" if view.stock_count == 0 else None


def _burns(view: ShitheadView, move: Move) -> bool:
    played = parse(move)
    if played.kind != "cards":
        return False
    pile = [*(CARD[code] for code in view.pile), *played.numbers]
    return burn_reason(pile, view.options.burn_through_threes) is not None


def _rank(move: Move) -> int:
    played = parse(move)
    return RANK[played.numbers[0]] if played.kind == "cards" else -1


THEMES: Final = Themes(
    {
        "burning": Theme(
            say("Burning the pile"), say("A burned pile is gone, and you play once more.")
        ),
        "tens": Theme(say("Keeping tens"), say("A ten burns any pile: is this one worth it?")),
        "keeping_specials": Theme(
            say("Keeping twos and threes"), say("They go on anything, so they are missed later.")
        ),
        "how_many": Theme(
            say("One or all"), say("Several cards of a rank: play them together, or one by one?")
        ),
        "picking_up": Theme(say("Picking up"), say("A pile in your hand is not always the worst.")),
        "last_cards": Theme(
            say("The last cards"), say("The stock is empty: what you play is not replaced.")
        ),
    },
    themes_of,
)
