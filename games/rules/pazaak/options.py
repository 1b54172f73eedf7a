"""The rule choices of a Pazaak match (rules §2) and the sets of them that have a name."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from games.rules.values import Options


class PazaakOptions(Options, frozen=True, kw_only=True, gc=False):
    hand_rule: Annotated[
        Literal["per_round", "once"],
        Meta(
            description="per_round: draw up to four side cards each round and keep what is not "
            "played. once: four cards at the start of the match and never again."
        ),
    ] = "per_round"
    rounds_to_win: Annotated[
        int,
        Meta(ge=1, le=9, description="So many round wins take the match; ties count for nobody."),
    ] = 2
    catalogue: Annotated[
        Literal["full", "kotor1", "kotor2"],
        Meta(
            description="full: all 36 side cards. kotor1: plus, minus, plus-or-minus. kotor2: "
            "those, ±1/2, the flips 2 & 4 and 3 & 6, double, tiebreaker."
        ),
    ] = "full"
    max_copies: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="How many equal cards a side deck may hold; empty for no limit."),
    ] = None
    stand_timing: Annotated[
        Literal["turn_start", "turn_end"],
        Meta(
            description="turn_start: choose to draw or to stand. turn_end: the card is drawn by"
            " itself; play one or not, then end the turn or stand."
        ),
    ] = "turn_start"
    auto_stand_20: Annotated[
        bool, Meta(description="Who ends a turn with exactly 20 stands without being asked.")
    ] = True
    table_fill: Annotated[
        Literal["win", "stand"],
        Meta(
            description="win: nine cards at 20 or less win the round at once. stand: such a "
            "seat stands."
        ),
    ] = "win"
    specials_take_slot: Annotated[
        bool,
        Meta(description="Flip and double are placed on the board too, so they need a free place."),
    ] = False
    tiebreaker_scope: Annotated[
        Literal["last_card", "played_this_round"],
        Meta(
            description="On equal totals a tiebreaker wins: last_card, if it is the newest card"
            " of its board; played_this_round, wherever it lies. If both have one "
            "it is a tie."
        ),
    ] = "last_card"
    first_starter: Annotated[
        Literal["opener", "seat0", "seat1"],
        Meta(
            description="opener: who has the higher bottom card starts the first round. Or a "
            "fixed seat."
        ),
    ] = "opener"
    next_starter: Annotated[
        Literal["alternate", "winner", "loser", "fixed"],
        Meta(
            description="alternate: the other seat each round. winner, loser: of the round "
            "before, after a tie the other seat. fixed: always who started the "
            "first."
        ),
    ] = "alternate"
    max_rounds: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(
            description="After so many rounds, ties included, more wins take the match and "
            "equal wins draw; empty for no limit."
        ),
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
