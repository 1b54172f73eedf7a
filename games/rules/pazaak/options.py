"""The rule choices of a Pazaak match (rules §2) and the sets of them that have a name."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from games.rules.base import Options


class PazaakOptions(Options, frozen=True, kw_only=True, gc=False):
    hand_rule: Annotated[
        Literal["per_round", "once"],
        Meta(description="Draw up to four side cards every round, or four once for the match."),
    ] = "per_round"
    rounds_to_win: Annotated[
        int, Meta(ge=1, le=9, description="So many round wins take the match.")
    ] = 2
    catalogue: Annotated[
        Literal["full", "kotor1", "kotor2"],
        Meta(description="The side cards that a side deck may hold."),
    ] = "full"
    max_copies: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="How many equal cards a side deck may hold; empty for no limit."),
    ] = None
    stand_timing: Annotated[
        Literal["turn_start", "turn_end"],
        Meta(description="Stand instead of drawing, or draw by yourself and stand afterwards."),
    ] = "turn_start"
    auto_stand_20: Annotated[
        bool, Meta(description="Who ends a turn with exactly 20 stands without being asked.")
    ] = True
    table_fill: Annotated[
        Literal["win", "stand"],
        Meta(description="Nine cards at 20 or less win the round at once, or merely stand."),
    ] = "win"
    specials_take_slot: Annotated[
        bool, Meta(description="Flip and double cards take one of the nine places too.")
    ] = False
    tiebreaker_scope: Annotated[
        Literal["last_card", "played_this_round"],
        Meta(description="A tiebreaker counts as the newest card only, or wherever it lies."),
    ] = "last_card"
    first_starter: Annotated[
        Literal["opener", "seat0", "seat1"],
        Meta(description="Who starts the first round: the higher bottom card, or a fixed seat."),
    ] = "opener"
    next_starter: Annotated[
        Literal["alternate", "winner", "loser", "fixed"],
        Meta(description="Who starts later rounds; after a tie winner and loser alternate."),
    ] = "alternate"
    max_rounds: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(description="After so many rounds more wins take the match; empty for no limit."),
    ] = None


PRESETS: Final[Mapping[str, PazaakOptions]] = {
    "classic": PazaakOptions(),
    "kotor1": PazaakOptions(
        hand_rule="once",
        rounds_to_win=3,
        catalogue="kotor1",
        stand_timing="turn_end",
        table_fill="stand",
        next_starter="fixed",
    ),
    "kotor2": PazaakOptions(
        hand_rule="once",
        rounds_to_win=3,
        catalogue="kotor2",
        stand_timing="turn_end",
        table_fill="win",
        specials_take_slot=True,
        next_starter="alternate",
    ),
}

NOTES: Final[Mapping[str, str]] = {
    "hand_rule": "per_round: both draw up to four cards of their side deck each round and keep "
    "what they do not play. once: four cards at the start of the match and never again.",
    "rounds_to_win": "The first seat with so many round wins takes the match; ties count for "
    "nobody. The original games play to 3.",
    "catalogue": "full: all 36 side cards. kotor1: plus, minus and plus-or-minus. kotor2: those, "
    "±1/2, the flips 2 & 4 and 3 & 6, double and tiebreaker.",
    "max_copies": "How many equal cards a side deck may hold. The cheating computer is exempt.",
    "stand_timing": "turn_start: choose to draw or to stand; standing is instead of drawing. "
    "turn_end: the card is drawn by itself; play a card or not, then end the turn or stand.",
    "auto_stand_20": "A turn that ends with exactly 20 makes the seat stand.",
    "table_fill": "win: nine cards at 20 or less win the round against any total. stand: such a "
    "seat simply stands.",
    "specials_take_slot": "Flip and double are placed on the board like other cards, so they "
    "count towards nine and need a free place.",
    "tiebreaker_scope": "last_card: on equal totals a tiebreaker wins if it is the newest card of "
    "its board. played_this_round: it wins wherever it lies. If both have one it is a tie.",
    "first_starter": "opener: the higher bottom card of the two main decks starts.",
    "next_starter": "alternate: the other seat each round. winner, loser: of the round before; "
    "after a tie the other seat. fixed: always who started the first round.",
    "max_rounds": "After so many rounds, ties included, more wins take the match; equal is a draw.",
}


def seats(options: PazaakOptions) -> int:  # noqa: ARG001
    """Always two."""
    return 2
