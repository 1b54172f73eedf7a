"""The rule choices of a match of Shithead (shithead §2) and the named set ``traditional``."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import Phrase, Words, say
from cardroom.rules.values import BadOptions, Options

Refill = Literal["one_per_turn", "up_to_three"]
JokerTop = Literal["high", "transparent", "reset"]


class ShitheadOptions(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every choice with the default of the rules."""

    players: Annotated[
        int, Meta(ge=2, le=18), option(say("Players"), say("Seats at the table."))
    ] = 2
    games: Annotated[
        int,
        Meta(ge=1, le=50),
        option(
            say("Games in the match"),
            note=say(
                "The fewest times being the shed wins the match, then the lowest sum of places."
            ),
        ),
    ] = 1
    jokers: Annotated[
        Literal[2, 0],
        option(
            say("Jokers in the pack"),
            choices={
                2: say("two"),
                0: say("none"),
            },
        ),
    ] = 2
    deal: Annotated[
        Literal["even", "three"],
        option(
            say("The deal"),
            choices={
                "even": say("the whole pack, evenly"),
                "three": say(
                    "three hidden, three top and three hand cards each; the rest is the stock"
                ),
            },
            note=say(
                "Even: 54 cards, so with two seats nine cards of each kind. Three: at most six "
                "seats, and the rest is the stock."
            ),
        ),
    ] = "even"
    refill: Annotated[
        Refill,
        option(
            say("Drawing after a turn"),
            choices={
                "one_per_turn": say("one card"),
                "up_to_three": say("until the hand has three"),
            },
            note=say(
                "Up to three: after a turn the hand is filled up to three cards from the stock."
            ),
        ),
    ] = "one_per_turn"
    pickup: Annotated[
        Literal["forced", "voluntary"],
        option(
            say("Picking up the pile"),
            choices={
                "forced": say("only when nothing can be played"),
                "voluntary": say("whenever you like"),
            },
            note=say(
                "Voluntary: the pile may always be picked up, but not instead of a hidden card."
            ),
        ),
    ] = "forced"
    joker_top: Annotated[
        JokerTop,
        option(
            say("A joker on the pile"),
            choices={
                "high": say("is beaten only by 2, 3, 10 and jokers"),
                "transparent": say("is ignored, as a three is"),
                "reset": say("lets anything follow"),
            },
            note=say(
                "High: only wild cards beat a joker. Transparent: it is ignored like a three."
                " Reset: anything may follow it."
            ),
        ),
    ] = "high"
    two_player_joker: Annotated[
        Literal["plain", "again"],
        option(
            say("Jokers in a match of two"),
            choices={
                "plain": say("change nothing"),
                "again": say("give another turn when their number is odd"),
            },
            note=say("Again: between two, turning round gives another turn."),
        ),
    ] = "plain"
    burn_through_threes: Annotated[
        bool,
        option(
            say("Threes do not stop a burn"),
            say("Threes do not interrupt four of a kind or two jokers."),
            note=say("Nine, nine, three, nine, nine burns too."),
        ),
    ] = False
    first_starter: Annotated[
        Literal["dealer_left", "lowest_card"],
        option(
            say("Who starts the first game"),
            choices={
                "dealer_left": say("the seat left of the dealer"),
                "lowest_card": say("who holds the lowest card from three up"),
            },
            note=say("Lowest card: who holds the lowest card, from three up, has the first turn."),
        ),
    ] = "dealer_left"
    next_starter: Annotated[
        Literal["shed", "left_of_shed"],
        option(
            say("Who starts the next games"),
            choices={
                "shed": say("the shed of the game before"),
                "left_of_shed": say("the seat left of the shed"),
            },
            note=say("Left of the shed: the shed deals, and its left neighbour starts."),
        ),
    ] = "shed"
    seven_lower: Annotated[
        bool,
        option(
            say("After a seven, seven or lower"),
            say("After a seven the next card must be a seven or lower."),
            note=say("Off: a seven is an ordinary card."),
        ),
    ] = True
    exchange: Annotated[
        bool,
        option(
            say("Swap cards before the first turn"),
            say("Hand and top cards may be swapped before the first turn."),
            note=say(
                "On: all seats swap hand and top cards at the same time until they are ready."
            ),
        ),
    ] = True
    max_turns: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        option(
            say("Turns of a game at most"),
            say("Then who holds most cards is the shed. Left empty, there is no limit."),
            note=say("At the limit the seat with most cards is the shed; equal numbers share it."),
        ),
    ] = 5000


PRESETS: Final = {
    "traditional": ShitheadOptions(
        deal="three",
        jokers=0,
        refill="up_to_three",
        pickup="voluntary",
        first_starter="lowest_card",
        next_starter="left_of_shed",
    )
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "traditional": say(
        "Three cards of each kind, no jokers, draw to three, pick up at will; the lowest starts."
    ),
}


def pack_size(options: ShitheadOptions) -> int:
    return 52 + options.jokers


def cards_each(options: ShitheadOptions) -> int:
    """k: so many hidden, top and hand cards has every seat (R2)."""
    return 3 if options.deal == "three" else pack_size(options) // (3 * options.players)


def most_swaps(options: ShitheadOptions) -> int:
    """R5: so many swaps a seat may make in a game."""
    return 3 * cards_each(options) if options.exchange else 0


def check(options: ShitheadOptions) -> None:
    """Refuses options that need more cards than the pack has."""
    most = pack_size(options) // (9 if options.deal == "three" else 3)
    if options.players > most:
        raise BadOptions(players=_too_many(options, most))


def _too_many(options: ShitheadOptions, most: int) -> Phrase:
    if options.deal == "three":
        return say(
            "{players} players are too many: with three cards of each kind the pack has cards "
            "for 2 to {most}.",
            players=options.players,
            most=most,
        )
    return say(
        "{players} players are too many: the pack {jokers} has cards for 2 to {most}.",
        players=options.players,
        jokers=say("with two jokers") if options.jokers else say("without jokers"),
        most=most,
    )
