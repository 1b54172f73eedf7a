"""What a play leaves to the next seat, for those who explain a match."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from cardroom.rules.flat import copy_into
from cardroom.rules.reason import Reason, Reasons, percent
from cardroom.rules.shithead.bots import choices
from cardroom.rules.shithead.bots.belief import believed
from cardroom.rules.shithead.bots.sampling import Known, deal_unknown
from cardroom.rules.shithead.bots.searcher import choice_of
from cardroom.rules.shithead.bots.world import ShitheadWorld
from cardroom.rules.shithead.moves import PICKUP
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.text import Phrase, card_names, say, say_n
from cardroom.rules.values import Event, Move

WORLDS: Final = 100


def of(
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


REASONS: Final = Reasons(of, words)
