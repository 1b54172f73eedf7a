"""The rule choices of a match and the named sets of them (rules §2)."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from games.rules.errors import BadOptions
from games.rules.seats import each_seat_a_side
from games.rules.text import say
from games.rules.values import Options, Seat

Points = Annotated[int, Meta(ge=0, le=1_000)]


class PistiOptions(Options, frozen=True, kw_only=True, gc=False):
    players: Annotated[int, Meta(ge=2, le=4, description="Number of seats.")] = 2
    teams: Annotated[
        bool, Meta(description="Four seats only: 0 and 2 play together against 1 and 3.")
    ] = False
    target_score: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        Meta(description="Total that ends the match after a deal; without it one deal is played."),
    ] = 151
    starter_rule: Annotated[
        Literal["rotate", "fixed"],
        Meta(description="Who starts a deal: the next seat each time, or always the same."),
    ] = "rotate"
    fixed_starter_seat: Annotated[
        int, Meta(ge=0, le=3, description="The seat that starts every deal when that is fixed.")
    ] = 0
    pisti_points: Annotated[
        Points, Meta(description="For a single card captured by its own rank.")
    ] = 10
    double_pisti_points: Annotated[
        Points, Meta(description="For a single jack captured by a jack.")
    ] = 20
    majority_points: Annotated[
        Points, Meta(description="For more cards than every other side.")
    ] = 3
    last_card_pisti: Annotated[
        bool, Meta(description="The last card of a deal can score a pişti too.")
    ] = False
    show_counts: Annotated[
        bool, Meta(description="The sizes of the pile and the heaps are shown.")
    ] = True
    bottom_card: Annotated[
        Literal["hidden", "exposed"],
        Meta(description="Exposed: the bottom card of the pack is no jack and lies open."),
    ] = "hidden"


PRESETS: Final = {
    "classic": PistiOptions(),
    "single": PistiOptions(target_score=None, starter_rule="fixed"),
    "four": PistiOptions(players=4),
    "partnership": PistiOptions(players=4, teams=True, bottom_card="exposed", show_counts=False),
}


def check(options: PistiOptions) -> None:
    """Refuses what contradicts itself, every fault named."""
    faults = {}
    if options.teams and options.players != 4:
        faults["teams"] = say("Two against two needs four players, not {n}.", n=options.players)
    if options.fixed_starter_seat >= options.players:
        faults["fixed_starter_seat"] = say(
            "The seat that always starts must be one of the {n} at the table.", n=options.players
        )
    if faults:
        raise BadOptions(**faults)


def side_count(options: PistiOptions) -> int:
    """How many sides share the points; the side of a seat is ``seat % side_count`` (R2)."""
    return 2 if options.teams else options.players


def sides(options: PistiOptions) -> tuple[tuple[Seat, ...], ...]:
    return ((0, 2), (1, 3)) if options.teams else each_seat_a_side(options.players)
