"""What a card takes or leaves, for those who explain a match.

How likely the next seat can take it is counted in the worlds that the searcher would deal.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Final

from cardroom.rules.cards import CARD, JACK, RANK
from cardroom.rules.pisti.bots.belief import believed
from cardroom.rules.pisti.bots.sampling import Known, empty_pool, fill_pool
from cardroom.rules.pisti.bots.world import RANKS_OF, PistiWorld
from cardroom.rules.pisti.predicates import captures
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.reason import Reason, Reasons, percent
from cardroom.rules.text import CardName, Phrase, say, say_n
from cardroom.rules.values import Event, Move

WORLDS: Final = 100


def of(
    view: PistiView, events: Sequence[Event], rng: Random, moves: Sequence[Move]
) -> Mapping[Move, Reason]:
    known = believed(view, view.to_act[0], events)
    (world,) = known.worlds
    taking = [move for move in moves if _takes(view, move)]
    reasons = {move: _taking(view, world, move) for move in taking}
    left = [move for move in moves if move not in reasons]
    return reasons | (dict(_leaving(known, rng, left)) if left else {})


def _takes(view: PistiView, move: Move) -> bool:
    return view.top is not None and captures(CARD[move], CARD[view.top])


def _taking(view: PistiView, world: PistiWorld, move: Move) -> Reason:
    if world.pile_size == 1 and view.top is not None and move[0] == view.top[0]:
        return Reason("pisti", {"card": move})
    return Reason("takes", {"card": move, "cards": world.pile_size})


def _leaving(known: Known, rng: Random, moves: Sequence[Move]) -> Iterator[tuple[Move, Reason]]:
    (world,) = known.worlds
    following = (world.turn + 1) % world.players
    pool = empty_pool(WORLDS, len(known.lot))
    fill_pool(rng, known, pool)
    weights = [after - before for before, after in pairwise([0.0, *pool.weights])]
    kind = "leaves" if world.pile_size else "opens"
    for move in moves:
        taken = sum(
            weight
            for each, weight in zip(pool.worlds, weights, strict=True)
            if _can_take(each, following, RANK[CARD[move]])
        )
        yield move, Reason(kind, {"card": move, "percent": percent(taken, pool.weights[-1])})


def _can_take(world: PistiWorld, seat: int, rank: int) -> bool:
    """Of a card that lies alone only its own rank makes a pişti; a jack takes it all the same."""
    held = {RANKS_OF[card] for card in world.hands[seat][: world.sizes[seat]]}
    return rank in held or (JACK in held and world.pile_size > 0)


def words(reason: Reason) -> Phrase:
    values = reason.values
    card = CardName(str(values["card"]))
    match reason.kind:
        case "pisti":
            return say("{card} makes a pişti.", card=card)
        case "takes":
            return say_n(
                "{card} takes {n} card.", "{card} takes {n} cards.", int(values["cards"]), card=card
            )
        case "opens":
            return say(
                "{card} lies alone: in {percent} % of the possible worlds the next player makes a"
                " pişti of it.",
                card=card,
                percent=values["percent"],
            )
    return say(
        "{card} stays on top: in {percent} % of the possible worlds the next player can take it.",
        card=card,
        percent=values["percent"],
    )


REASONS: Final = Reasons(of, words)
