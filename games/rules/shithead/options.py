"""The rule choices of a match of Shithead (shithead §2) and the named set ``traditional``."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from games.rules.errors import BadOptions
from games.rules.text import Phrase, say
from games.rules.values import Options

Refill = Literal["one_per_turn", "up_to_three"]
JokerTop = Literal["high", "transparent", "reset"]


class ShitheadOptions(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every choice with the default of the rules."""

    players: Annotated[int, Meta(ge=2, le=18, description="Seats at the table.")] = 2
    games: Annotated[int, Meta(ge=1, le=50, description="Games in the match.")] = 1
    jokers: Annotated[
        Literal[2, 0], Meta(description="Jokers in the pack; without them at most 17 seats.")
    ] = 2
    deal: Annotated[
        Literal["even", "three"],
        Meta(description="Deal the pack out evenly, or three hidden, three top, three hand cards."),
    ] = "even"
    refill: Annotated[
        Refill,
        Meta(description="After a turn draw one card, or draw until the hand has three."),
    ] = "one_per_turn"
    pickup: Annotated[
        Literal["forced", "voluntary"],
        Meta(description="Pick the pile up only when nothing can be played, or whenever you like."),
    ] = "forced"
    joker_top: Annotated[
        JokerTop,
        Meta(description="A joker on the pile asks for a wild card, is ignored, or asks nothing."),
    ] = "high"
    two_player_joker: Annotated[
        Literal["plain", "again"],
        Meta(description="Between two, an odd number of jokers may give the player another turn."),
    ] = "plain"
    burn_through_threes: Annotated[
        bool, Meta(description="Threes do not interrupt four of a kind or two jokers.")
    ] = False
    first_starter: Annotated[
        Literal["dealer_left", "lowest_card"],
        Meta(description="The first game is started by the dealer's left or the lowest card."),
    ] = "dealer_left"
    next_starter: Annotated[
        Literal["shed", "left_of_shed"],
        Meta(description="Later games are started by the shed or by the seat left of it."),
    ] = "shed"
    seven_lower: Annotated[
        bool, Meta(description="After a seven the next card must be a seven or lower.")
    ] = True
    exchange: Annotated[
        bool, Meta(description="Hand and top cards may be swapped before the first turn.")
    ] = True
    max_turns: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        Meta(description="A game is stopped after so many turns; null: never."),
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


NOTES: Final[Mapping[str, Phrase]] = {
    "games": say("The fewest times being the shed wins the match, then the lowest sum of places."),
    "deal": say(
        "Even: 54 cards, so with two seats nine cards of each kind. Three: at most six seats, and"
        " the rest is the stock."
    ),
    "refill": say("Up to three: after a turn the hand is filled up to three cards from the stock."),
    "pickup": say("Voluntary: the pile may always be picked up, but not instead of a hidden card."),
    "joker_top": say(
        "High: only wild cards beat a joker. Transparent: it is ignored like a three."
        " Reset: anything may follow it."
    ),
    "two_player_joker": say("Again: between two, turning round gives another turn."),
    "burn_through_threes": say("Nine, nine, three, nine, nine burns too."),
    "first_starter": say(
        "Lowest card: who holds the lowest card, from three up, has the first turn."
    ),
    "next_starter": say("Left of the shed: the shed deals, and its left neighbour starts."),
    "seven_lower": say("Off: a seven is an ordinary card."),
    "exchange": say("On: all seats swap hand and top cards at the same time until they are ready."),
    "max_turns": say("At the limit the seat with most cards is the shed; equal numbers share it."),
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
