"""What a move makes of the total, and what the next card may do: for those who explain a match.

The cards that may come are those of the own main deck that were not seen, so this is exact.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from cardroom.rules.pazaak.bots.chances import halves, plays
from cardroom.rules.pazaak.bots.position import unseen
from cardroom.rules.pazaak.predicates import TARGET
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.reason import Reason, Reasons, percent
from cardroom.rules.text import Phrase, say
from cardroom.rules.values import Event, Move


def of(
    view: PazaakView,
    events: Sequence[Event],
    rng: Random,  # noqa: ARG001 - every card that may come is counted
    moves: Sequence[Move],
) -> Mapping[Move, Reason]:
    total = halves(view)[0].total
    deck = unseen(view, events)[view.to_act[0]]
    bust = percent(sum(total + card > TARGET for card in deck), len(deck))
    reasons = {play.move: Reason("makes", {"total": play.total}) for play in plays(view)}
    for move in ("draw", "pass", "end"):
        reasons[move] = Reason("draws", {"total": total, "percent": bust})
    reasons["stand"] = Reason("stands", {"total": total, "percent": bust})
    return {move: reasons[move] for move in moves if move in reasons}


def words(reason: Reason) -> Phrase:
    values = reason.values
    match reason.kind:
        case "makes":
            return say("This card makes the total {total}.", total=values["total"])
        case "stands":
            return say(
                "From {total} the next card would go over 20 in {percent} % of the cases.",
                total=values["total"],
                percent=values["percent"],
            )
    return say(
        "From {total} the next card goes over 20 in {percent} % of the cases.",
        total=values["total"],
        percent=values["percent"],
    )


REASONS: Final = Reasons(of, words)
