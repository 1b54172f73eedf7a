"""Effects of a move on the total, and of the next card: for those who explain a match.

The cards that may come are those of the own main deck that were not seen, so this is exact.

The themes of exercises of Pazaak, the most special one first.

The worth of a drawn card to the seat that draws it, above the mean of all it may draw.

The professor's table weighs all cards that a draw may bring at once.

Pazaak's luck: each card drawn from a main deck, and what the match begins with.

A draw can be one of at most ten values, so all of them are listed. The worth of a position is what
the professor expects of it for the seat that is to act.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from cardroom.rules.option import Theme, Themes
from cardroom.rules.pazaak import rules
from cardroom.rules.pazaak.bots import professor
from cardroom.rules.pazaak.bots.outlook import (
    Sight,
    halves,
    plays,
    position_of,
    table_of,
    unseen,
    within_reach,
)
from cardroom.rules.pazaak.bots.professor import HIGHEST, Known, Workspace, weigh_draws
from cardroom.rules.pazaak.bots.six_rule import READING, stage_of
from cardroom.rules.pazaak.predicates import TARGET, WORDS
from cardroom.rules.pazaak.state import PazaakState, PlayerState
from cardroom.rules.pazaak.view import PazaakView, view
from cardroom.rules.shuffles import Stream, seeded
from cardroom.rules.text import Phrase, say
from cardroom.rules.values import (
    Chances,
    Event,
    Move,
    Reason,
    Reasons,
    Seat,
    StepBuilder,
    Weighted,
    percent,
)


def reasons_of(
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


REASONS: Final = Reasons(reasons_of, words)


def themes_of(
    view: PazaakView,
    events: Sequence[Event],  # noqa: ARG001 - both halves of the table lie open
    moves: Sequence[Move],
) -> str | None:
    rival = view.halves[1 - view.to_act[0]]
    is_card = [move not in WORDS for move in moves[:2]]
    if rival.standing:
        return "against_a_total"
    if all(is_card):
        return "which_card"
    if any(is_card):
        return "spend_a_card" if is_card[0] else "keep_a_card"
    return "when_to_stand" if "stand" in moves[:2] else None


THEMES: Final = Themes(
    {
        "when_to_stand": Theme(
            say("When to stand"), say("Is this total enough, or is one more card worth its risk?")
        ),
        "against_a_total": Theme(
            say("Against a standing total"), say("The other seat stands: its total is to beat.")
        ),
        "spend_a_card": Theme(
            say("Spending a side card"), say("A side card played is gone for the whole match.")
        ),
        "keep_a_card": Theme(
            say("Keeping a side card"), say("What you could play now may be worth more later.")
        ),
        "which_card": Theme(
            say("Which side card"), say("Several cards help: which of them can you spare?")
        ),
    },
    themes_of,
)

Worths = Callable[[Known], list[float]]


def hidden_of(state: PazaakState, half: PlayerState) -> Sequence[int]:
    """The main deck without the bottom card, which was shown in round 1 (R6)."""
    return half.main[: len(half.main) - (state.round_no == 1)]


def worths_of_draws(known: Known) -> list[float]:
    worths = [0.0] * (HIGHEST + 1)
    weigh_draws(worths, Workspace([known.world], [known.sight], [], table_of(known.world)))
    return worths


def added(
    before: PazaakState | None,
    _after: PazaakState,
    seat: Seat,
    move: Move,
    _bots: Sequence[str],
    _rng: Random,
    worths_of: Worths = worths_of_draws,
) -> Sequence[float]:
    drawing = None if before is None else before_the_draw(before, seat, move)
    if drawing is None or drawing.to_act is None:
        return 0.0, 0.0
    drawer = drawing.to_act
    hidden = hidden_of(drawing, drawing.halves[drawer])
    known = Known(within_reach(position_of(view(drawing, drawer), drawer)), Sight())
    counts = Counter(hidden)
    for value, count in counts.items():
        known.sight.unseen[value] = count
    line = READING.at(stage_of(known.world, drawer))
    worths = [line.read(worth) for worth in worths_of(known)]
    mean = sum(count * worths[value] for value, count in counts.items()) / len(hidden)
    luck = worths[hidden[0]] - mean
    return (luck, -luck) if drawer == 0 else (-luck, luck)


def before_the_draw(state: PazaakState, seat: Seat, move: Move) -> PazaakState | None:
    """The state in which the seat to act draws its next card, once this move is made; ``None`` if
    it draws none in this round. Under ``turn_end`` (R7) it has no choice."""
    if move == "draw":
        return state
    waiting = replace(state, options=replace(state.options, stand_timing="turn_start"))
    step = StepBuilder(seeded(Random(0)))  # a round that ends may deal the next one
    if move == "stand":
        after = rules.end_turn(rules.stand(waiting, seat, step, auto=False), seat, step)
    else:
        after = rules.close_turn(waiting, seat, step)
    if after.round_no != state.round_no or after.phase == "over":
        return None
    return replace(after, options=state.options)


def falls(state: PazaakState, _seat: Seat, move: Move) -> bool:
    if state.options.stand_timing == "turn_end":  # the next seat draws by itself
        return move in ("end", "stand")
    return move == "draw"


def again(state: PazaakState, rng: Random) -> PazaakState:
    first, second = (_shuffled(state, half, rng) for half in state.halves)
    return replace(state, halves=(first, second))


def _shuffled(state: PazaakState, half: PlayerState, rng: Random) -> PlayerState:
    hidden = hidden_of(state, half)
    main = (*rng.sample(hidden, len(hidden)), *half.main[len(hidden) :])
    return replace(half, main=main)


def each(state: PazaakState, seat: Seat, move: Move) -> Sequence[Weighted[PazaakState]]:
    if move != "draw":
        return ()
    half = state.halves[seat]
    hidden = hidden_of(state, half)
    return [
        (count / len(hidden), _with_top(state, seat, hidden.index(value)))
        for value, count in sorted(Counter(hidden).items())
    ]


def _with_top(state: PazaakState, seat: Seat, at: int) -> PazaakState:
    """The card of this place and the top one have changed places."""
    main = list(state.halves[seat].main)
    main[0], main[at] = main[at], main[0]
    half = replace(state.halves[seat], main=tuple(main))
    halves = (half, state.halves[1]) if seat == 0 else (state.halves[0], half)
    return replace(state, halves=halves)


def worth(state: PazaakState) -> Sequence[float]:
    seat = state.to_act
    if seat is None:
        raise ValueError("The match is over.")
    weighed = professor.weigh(view(state, seat), (), Stream(0), 1)
    chance = max(means[0] for means in weighed.means)
    return (chance, 1 - chance) if seat == 0 else (1 - chance, chance)


CHANCES: Final[Chances[PazaakState]] = Chances(falls, again, worth, each, added=added)
