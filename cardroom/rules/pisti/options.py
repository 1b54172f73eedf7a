"""The rule choices of a match and the named sets of them (rules §2)."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import Words, say
from cardroom.rules.values import BadOptions, Options, Seat, each_seat_a_side

Points = Annotated[int, Meta(ge=0, le=1_000)]


class PistiOptions(Options, frozen=True, kw_only=True, gc=False):
    players: Annotated[int, Meta(ge=2, le=4), option(say("Players"), say("Number of seats."))] = 2
    teams: Annotated[
        bool,
        option(
            say("Two against two"),
            say("Four players only: those who sit opposite each other play together."),
        ),
    ] = False
    target_score: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        option(
            say("Points that end the match"),
            say("The match ends after the deal that reaches them. Left empty, one deal is played."),
        ),
    ] = 151
    starter_rule: Annotated[
        Literal["rotate", "fixed"],
        option(
            say("Who starts a deal"),
            choices={
                "rotate": say("the next seat each time"),
                "fixed": say("always the same seat"),
            },
        ),
    ] = "rotate"
    fixed_starter_seat: Annotated[
        int,
        Meta(ge=0, le=3),
        option(
            say("Seat that always starts"),
            say("Where always the same seat starts."),
            choices={
                0: say("the first"),
                1: say("the second"),
                2: say("the third"),
                3: say("the fourth"),
            },
        ),
    ] = 0
    pisti_points: Annotated[
        Points,
        option(say("Points for a pişti"), say("For a single card captured by its own rank.")),
    ] = 10
    double_pisti_points: Annotated[
        Points,
        option(say("Points for a double pişti"), say("For a single jack captured by a jack.")),
    ] = 20
    majority_points: Annotated[
        Points,
        option(say("Points for the most cards"), say("For more cards than every other side.")),
    ] = 3
    last_card_pisti: Annotated[
        bool,
        option(
            say("The last card can make a pişti"),
            say("The last card of a deal can score a pişti too."),
        ),
    ] = False
    show_counts: Annotated[
        bool,
        option(
            say("Cards are counted for you"), say("The sizes of the pile and the heaps are shown.")
        ),
    ] = True
    bottom_card: Annotated[
        Literal["hidden", "exposed"],
        option(
            say("Bottom card of the pack"),
            choices={
                "hidden": say("stays hidden"),
                "exposed": say("lies open, and is no jack"),
            },
        ),
    ] = "hidden"


PRESETS: Final = {
    "classic": PistiOptions(),
    "single": PistiOptions(target_score=None, starter_rule="fixed"),
    "four": PistiOptions(players=4),
    "partnership": PistiOptions(players=4, teams=True, bottom_card="exposed", show_counts=False),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "classic": say("Two players, to 151 points."),
    "single": say("One deal, and always the same seat starts."),
    "four": say("Four players, each for themselves."),
    "partnership": say(
        "Two against two, the bottom card lies open, and nobody counts the piles for you."
    ),
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


def starter_of(options: PistiOptions, deal_no: int) -> Seat:
    if options.starter_rule == "fixed":
        return options.fixed_starter_seat
    return (deal_no - 1) % options.players  # R3
