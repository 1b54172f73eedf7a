"""The house rules of Pyanitsa (rules §2): what can be chosen and what contradicts itself."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from cardroom.rules.cards import SIX, TWO
from cardroom.rules.option import option
from cardroom.rules.pyanitsa.predicates import NO_RANK
from cardroom.rules.text import Words, say
from cardroom.rules.values import BadOptions, Options


class PyanitsaOptions(Options, frozen=True, gc=False):
    players: Annotated[
        int,
        Meta(ge=2, le=8),
        option(
            say("Players"),
            say("How many seats play."),
            note=say(
                "Two to eight seats share the deck equally; what is left over is set aside unseen."
            ),
        ),
    ] = 2
    deck: Annotated[
        Literal[36, 52, 54],
        option(
            say("Cards"),
            choices={
                36: say("36, six to ace"),
                52: say("52, two to ace"),
                54: say("54, with two jokers"),
            },
            note=say(
                "36 cards from six to ace, 52 from two to ace, or 54 with two jokers above the "
                "aces."
            ),
        ),
    ] = 36
    dispute: Annotated[
        Literal["open", "mortgage"],
        option(
            say("A dispute is settled"),
            choices={
                "open": say("with one open card each"),
                "mortgage": say("with one card face down and one open each"),
            },
            note=say(
                "With mortgage each disputing seat lays one card face down and one face up; if one "
                "of them has a single card left, everybody lays one open card."
            ),
        ),
    ] = "open"
    collect_to: Annotated[
        Literal["won_pile", "bottom"],
        option(
            say("Taken cards go"),
            choices={
                "won_pile": say("to a pile of their own"),
                "bottom": say("under the draw pile"),
            },
            note=say(
                "A won pile is turned over when the draw pile is empty; at the bottom the cards "
                "simply queue up again."
            ),
        ),
    ] = "won_pile"
    recycle: Annotated[
        Literal["fifo", "lifo", "shuffle"],
        option(
            say("The won pile comes up again"),
            choices={
                "fifo": say("first won first"),
                "lifo": say("last won first"),
                "shuffle": say("shuffled"),
            },
            note=say("How the won pile becomes the draw pile again."),
        ),
    ] = "fifo"
    collect_order: Annotated[
        Literal["as_laid", "own_first", "random", "arbitrary"],
        option(
            say("Taken cards are put away"),
            choices={
                "as_laid": say("as they were laid"),
                "own_first": say("the own ones first"),
                "random": say("in random order"),
                "arbitrary": say("in the order the taker likes"),
            },
            note=say(
                "Arbitrary is the one choice there is in this game: the taker sees every card "
                "of the trick and puts them away in the order it likes."
            ),
        ),
    ] = "as_laid"
    short_dispute: Annotated[
        Literal["takes_all", "loses"],
        option(
            say("Who has no card for a dispute"),
            choices={
                "takes_all": say("takes the table"),
                "loses": say("loses the dispute"),
            },
            note=say(
                "With loses a seat that is short of cards for a dispute lays what it has face "
                "down and drops out of it."
            ),
        ),
    ] = "takes_all"
    goal: Annotated[
        Literal["collect", "giveaway"],
        option(
            say("The winner is"),
            choices={
                "collect": say("who holds all cards"),
                "giveaway": say("who is the first without cards"),
            },
            note=say("In giveaway the first seat without cards wins and the match ends at once."),
        ),
    ] = "collect"
    low_beats_ace: Annotated[
        Literal["off", "lowest", "six"],
        option(
            say("A low card beats an ace"),
            choices={
                "off": say("never"),
                "lowest": say("the lowest rank does"),
                "six": say("the six does"),
            },
            note=say(
                "The low card only beats an ace that is compared with it; it is the lowest "
                "otherwise. Such a match may never end by itself."
            ),
        ),
    ] = "off"
    jokers: Annotated[
        Literal["equal", "ranked"],
        option(
            say("Jokers"),
            say("Of 54 cards only."),
            choices={
                "equal": say("are equal"),
                "ranked": say("differ: the first beats the second"),
            },
            note=say("Ranked: X1 beats X2."),
        ),
    ] = "equal"
    leader: Annotated[
        Literal["winner", "fixed", "rotate"],
        option(
            say("Who leads a trick"),
            choices={
                "winner": say("who took the one before"),
                "fixed": say("always the lowest seat"),
                "rotate": say("each in turn"),
            },
            note=say("Matches with a fixed leader often go on until the limit."),
        ),
    ] = "winner"
    max_tricks: Annotated[
        int,
        Meta(ge=1, le=100_000),
        option(
            say("Tricks at most"),
            say("The match stops after so many."),
            note=say("At the limit the most cards win, in giveaway the fewest."),
        ),
    ] = 10_000
    pace: Annotated[
        Literal["manual", "auto"],
        option(
            say("Cards are turned up"),
            choices={
                "manual": say("by the players"),
                "auto": say("by the table"),
            },
            note=say(
                "With auto the match plays itself; only an arbitrary collection waits for a person."
            ),
        ),
    ] = "manual"


def check(options: PyanitsaOptions) -> None:
    """Refuses what contradicts itself (§2), every fault named."""
    faults = {}
    if options.collect_to == "bottom" and options.recycle != "fifo":
        faults["recycle"] = say(
            "Where taken cards go under the draw pile, the first won comes up first. For another "
            "order let them go to a pile of their own."
        )
    if options.jokers == "ranked" and options.deck != 54:
        faults["jokers"] = say("Only a deck of 54 cards has jokers that can differ.")
    if faults:
        raise BadOptions(**faults)


def low_rank(options: PyanitsaOptions) -> int:
    """The rank that beats an ace laid with it, ``NO_RANK`` if none does (`low_beats_ace`)."""
    if options.low_beats_ace == "off":
        return NO_RANK
    return SIX if options.low_beats_ace == "six" or options.deck == 36 else TWO


PRESETS: Final = {
    "six_beats_ace": PyanitsaOptions(
        deck=52,
        dispute="mortgage",
        collect_to="bottom",
        collect_order="own_first",
        low_beats_ace="six",
        leader="fixed",
    ),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "six_beats_ace": say(
        "52 cards, disputes with a card face down, taken cards go under; the six beats an ace."
    ),
}
