"""The rule choices of a Pazaak match (rules §2) and the sets of them that have a name."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import Words, say
from cardroom.rules.values import Options


class PazaakOptions(Options, frozen=True, kw_only=True, gc=False):
    hand_rule: Annotated[
        Literal["per_round", "once"],
        option(
            say("Side cards in the hand"),
            choices={
                "per_round": say("up to four new ones each round; what is not played is kept"),
                "once": say("four for the whole match"),
            },
        ),
    ] = "per_round"
    rounds_to_win: Annotated[
        int,
        Meta(ge=1, le=9),
        option(say("Rounds that win the match"), say("Ties count for nobody.")),
    ] = 2
    catalogue: Annotated[
        Literal["full", "kotor1", "kotor2"],
        option(
            say("Side cards that may be brought"),
            choices={
                "full": say("all 36"),
                "kotor1": say("plus, minus, and plus-or-minus cards"),
                "kotor2": say("those, ±1/2, the flips 2 & 4 and 3 & 6, double, tiebreaker"),
            },
        ),
    ] = "full"
    max_copies: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        option(
            say("Equal cards in a side deck"),
            say("At most so many; left empty, as many as you like."),
        ),
    ] = None
    stand_timing: Annotated[
        Literal["turn_start", "turn_end"],
        option(
            say("When one may stand"),
            choices={
                "turn_start": say("before drawing: draw or stand"),
                "turn_end": say("after drawing: end the turn or stand"),
            },
        ),
    ] = "turn_start"
    auto_stand_20: Annotated[
        bool,
        option(
            say("Stand at 20 without being asked"),
            say("Who ends a turn with exactly 20 stands without being asked."),
        ),
    ] = True
    table_fill: Annotated[
        Literal["win", "stand"],
        option(
            say("Nine cards at 20 or less"),
            choices={
                "win": say("win the round at once"),
                "stand": say("end the player's turns, as standing does"),
            },
        ),
    ] = "win"
    specials_take_slot: Annotated[
        bool,
        option(
            say("Flip and double take a place"),
            say("Flip and double are placed on the board too, so they need a free place."),
        ),
    ] = False
    tiebreaker_scope: Annotated[
        Literal["last_card", "played_this_round"],
        option(
            say("A tiebreaker wins a tie"),
            say("If both have one it stays a tie."),
            choices={
                "last_card": say("if it is the newest card on its board"),
                "played_this_round": say("wherever it lies on its board"),
            },
        ),
    ] = "last_card"
    first_starter: Annotated[
        Literal["opener", "seat0", "seat1"],
        option(
            say("Who starts the first round"),
            choices={
                "opener": say("who has the higher bottom card"),
                "seat0": say("the first seat"),
                "seat1": say("the second seat"),
            },
        ),
    ] = "opener"
    next_starter: Annotated[
        Literal["alternate", "winner", "loser", "fixed"],
        option(
            say("Who starts the next rounds"),
            say("After a tie it is the other seat."),
            choices={
                "alternate": say("the other seat each time"),
                "winner": say("who won the round before"),
                "loser": say("who lost the round before"),
                "fixed": say("who started the first round"),
            },
        ),
    ] = "alternate"
    max_rounds: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        option(
            say("Rounds at most"),
            say(
                "Ties included; more round wins take the match then. Left empty, there is no limit."
            ),
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

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "classic": say("Two round wins, all side cards, new ones each round."),
    "kotor1": say(
        "Three round wins, four side cards a match, stand after drawing; nine cards only stand."
    ),
    "kotor2": say(
        "Three round wins, four side cards a match, stand after drawing, more kinds of cards."
    ),
}

PRESET_NAMES: Final[Mapping[str, Words]] = {"kotor1": "KotOR", "kotor2": "KotOR II"}
