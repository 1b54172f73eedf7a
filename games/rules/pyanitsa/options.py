"""The house rules of Pyanitsa (rules §2): what can be chosen and what contradicts itself."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from games.rules.cards import SIX, TWO
from games.rules.errors import BadOptions
from games.rules.pyanitsa.predicates import NO_RANK
from games.rules.text import Words, say
from games.rules.values import Options


class PyanitsaOptions(Options, frozen=True, gc=False):
    players: Annotated[int, Meta(ge=2, le=8, description="How many seats play.")] = 2
    deck: Annotated[
        Literal[36, 52, 54], Meta(description="Six to ace, two to ace, or with jokers.")
    ] = 36
    dispute: Annotated[
        Literal["open", "mortgage"],
        Meta(description="Equal cards are settled with one open card, or one down and one open."),
    ] = "open"
    collect_to: Annotated[
        Literal["won_pile", "bottom"],
        Meta(description="Taken cards go to a pile of their own or under the draw pile."),
    ] = "won_pile"
    recycle: Annotated[
        Literal["fifo", "lifo", "shuffle"],
        Meta(
            description="The won pile comes up again first won first, last won first, or shuffled."
        ),
    ] = "fifo"
    collect_order: Annotated[
        Literal["as_laid", "own_first", "random", "arbitrary"],
        Meta(description="In which order the taker puts the cards away; arbitrary lets it choose."),
    ] = "as_laid"
    short_dispute: Annotated[
        Literal["takes_all", "loses"],
        Meta(description="Who cannot lay for a dispute takes the table, or loses the dispute."),
    ] = "takes_all"
    goal: Annotated[
        Literal["collect", "giveaway"],
        Meta(description="Win by holding the entire deck, or by being the first without cards."),
    ] = "collect"
    low_beats_ace: Annotated[
        Literal["off", "lowest", "six"],
        Meta(description="Whether the lowest rank, or the six, beats an ace laid with it."),
    ] = "off"
    jokers: Annotated[
        Literal["equal", "ranked"],
        Meta(description="The jokers are equal, or the first beats the second (54 cards only)."),
    ] = "equal"
    leader: Annotated[
        Literal["winner", "fixed", "rotate"],
        Meta(description="Who leads a trick: its last taker, the lowest seat, or each in turn."),
    ] = "winner"
    max_tricks: Annotated[
        int, Meta(ge=1, le=100_000, description="The match stops after this many tricks.")
    ] = 10_000
    pace: Annotated[
        Literal["manual", "auto"],
        Meta(description="Each seat turns its cards up itself, or the table does it for them."),
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

NOTES: Final[dict[str, Words]] = {
    "players": say(
        "Two to eight seats share the deck equally; what is left over is set aside unseen."
    ),
    "deck": say(
        "36 cards from six to ace, 52 from two to ace, or 54 with two jokers above the aces."
    ),
    "dispute": say(
        "With mortgage each disputing seat lays one card face down and one face up; if one "
        "of them has a single card left, everybody lays one open card."
    ),
    "collect_to": say(
        "A won pile is turned over when the draw pile is empty; at the bottom the cards "
        "simply queue up again."
    ),
    "recycle": say("How the won pile becomes the draw pile again."),
    "collect_order": say(
        "Arbitrary is the one choice there is in this game: the taker sees every card "
        "of the trick and puts them away in the order it likes."
    ),
    "short_dispute": say(
        "With loses a seat that is short of cards for a dispute lays what it has face "
        "down and drops out of it."
    ),
    "goal": say("In giveaway the first seat without cards wins and the match ends at once."),
    "low_beats_ace": say(
        "The low card only beats an ace that is compared with it; it is the lowest "
        "otherwise. Such a match may never end by itself."
    ),
    "jokers": say("Ranked: X1 beats X2."),
    "leader": say("Matches with a fixed leader often go on until the limit."),
    "max_tricks": say("At the limit the most cards win, in giveaway the fewest."),
    "pace": say(
        "With auto the match plays itself; only an arbitrary collection waits for a person."
    ),
}
