"""The rule choices of a match and the named sets of them (RULES.md §2)."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import Words, say
from cardroom.rules.values import BadOptions, Options, Seat, each_seat_a_side


class ScopaOptions(Options, frozen=True, kw_only=True):
    players: Annotated[
        int,
        Meta(ge=2, le=4),
        option(
            say("Players"),
            say("Four play two against two: partners sit opposite each other."),
        ),
    ] = 2
    target_score: Annotated[
        int,
        Meta(ge=1, le=51),
        option(
            say("Points that win"),
            say("The match ends after a deal in which a side has them and leads."),
        ),
    ] = 11
    capture: Annotated[
        Literal["equal", "fifteen"],
        option(
            say("What a card takes"),
            choices={
                "equal": say("cards worth as much as itself"),
                "fifteen": say("cards that make 15 with it"),
            },
            note=say("With 15 a single card has no precedence: this is how Escoba is played."),
        ),
    ] = "equal"
    hand_size: Annotated[
        Literal[3, 9],
        option(
            say("Cards in a hand"),
            choices={3: say("three, and three more when all are played"), 9: say("nine at once")},
        ),
    ] = 3
    prime: Annotated[
        Literal["primiera", "sevens"],
        option(
            say("The fourth point"),
            choices={
                "primiera": say("goes to the best primiera"),
                "sevens": say("goes to the most sevens"),
            },
        ),
    ] = "primiera"


PRESETS: Final[Mapping[str, ScopaOptions]] = {
    "classic": ScopaOptions(),
    "partnership": ScopaOptions(players=4),
    "scopone": ScopaOptions(players=4, hand_size=9, target_score=21),
    "escoba": ScopaOptions(capture="fifteen", prime="sevens", target_score=15),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "classic": say("Two players, to 11 points."),
    "partnership": say("Two against two, with hands of three."),
    "scopone": say("Two against two, with hands of nine."),
    "escoba": say("Cards are taken that make 15."),
}


def check(options: ScopaOptions) -> None:
    if options.hand_size == 9 and options.players == 3:
        raise BadOptions(hand_size=say("Hands of nine are for two or four players."))


def side_count(options: ScopaOptions) -> int:
    """How many sides share the points; the side of a seat is ``seat % side_count`` (R1)."""
    return 2 if options.players == 4 else options.players


def sides(options: ScopaOptions) -> tuple[tuple[Seat, ...], ...]:
    return ((0, 2), (1, 3)) if options.players == 4 else each_seat_a_side(options.players)
