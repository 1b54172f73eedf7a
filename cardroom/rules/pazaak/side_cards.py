"""The side cards: the catalogue, what makes a side deck legal, decks ready to play.

Apart because it knows nothing of matches: decks are also built outside a match, from the same
facts. Codes are those of the rules §0; catalogue order is their order there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from cardroom.rules.text import Phrase, Words, say

DECK_SIZE: Final = 10


@dataclass(frozen=True)
class SideCard:
    """One type of side card: ``effect`` says in words what playing it does."""

    code: str
    kind: str
    name: Words
    effect: Phrase


@dataclass(frozen=True)
class ReadyMade:
    """A deck ready to play; ``description`` says how to play it."""

    slug: str
    name: str
    description: Phrase
    cards: tuple[str, ...]


def _plus(n: int) -> SideCard:
    return SideCard(f"P{n}", "plus", f"+{n}", say("Adds {n} to your total.", n=n))


def _minus(n: int) -> SideCard:
    return SideCard(f"M{n}", "minus", f"−{n}", say("Takes {n} off your total.", n=n))


def _plus_or_minus(n: int) -> SideCard:
    effect = say("Adds {n} to your total or takes {n} off it, as you choose.", n=n)
    return SideCard(f"PM{n}", "plus-or-minus", f"±{n}", effect)


def _flip(a: int, b: int) -> SideCard:
    effect = say(
        "Turns every {a} and every {b} on your board over: plus becomes minus, minus becomes plus.",
        a=a,
        b=b,
    )
    return SideCard(f"F{a}{b}", "flip", say("Flip {a} & {b}", a=a, b=b), effect)


_ONE_OR_TWO = SideCard(
    "PM12",
    "plus-or-minus-1-2",
    "±1/2",
    say("Adds 1 or 2 to your total or takes 1 or 2 off it, as you choose."),
)
_DOUBLE = SideCard("D", "double", say("Double"), say("Doubles the newest card on your board."))
_TIEBREAKER = SideCard(
    "T",
    "tiebreaker",
    say("Tiebreaker ±1"),
    say(
        "Adds 1 to your total or takes 1 off it; if it is your newest card, you win an equal round."
    ),
)

SIDE_CARDS: Final[tuple[SideCard, ...]] = (
    *map(_plus, range(1, 7)),
    *map(_minus, range(1, 7)),
    *map(_plus_or_minus, range(1, 7)),
    _ONE_OR_TWO,
    *(_flip(a, b) for a, b in combinations(range(1, 7), 2)),
    _DOUBLE,
    _TIEBREAKER,
)
CODES: Final[tuple[str, ...]] = tuple(card.code for card in SIDE_CARDS)
CARD: Final[Mapping[str, SideCard]] = {card.code: card for card in SIDE_CARDS}
_ORDER: Final = {code: at for at, code in enumerate(CODES)}

CATALOGUES: Final[Mapping[str, tuple[str, ...]]] = {
    "full": CODES,
    "kotor1": CODES[:18],
    "kotor2": (*CODES[:19], "F24", "F36", "D", "T"),
}

STARTER: Final = ("P1", "P1", "P2", "P2", "P3", "P3", "P4", "P4", "P5", "P5")
SINGLES: Final = ("P1", "P2", "P3", "P4", "P5", "M1", "M2", "M3", "M4", "M5")
_REFERENCE: Final = {
    "full": ("M1", "M2", "M3", "M4", "M5", "M6", "PM2", "PM4", "PM12", "T"),
    "kotor1": ("M1", "M2", "M3", "M4", "M5", "M6", "PM1", "PM2", "PM3", "PM4"),
}
_CHEATER = {
    "full": ("PM1", "PM2", "PM2", "PM3", "PM3", "PM4", "PM5", "PM6", "PM12", "T"),
    "kotor1": ("PM1", "PM1", "PM2", "PM2", "PM3", "PM3", "PM4", "PM4", "PM5", "PM6"),
}

READY_MADE: Final[tuple[ReadyMade, ...]] = (
    ReadyMade(
        "climber",
        "The Climber",
        say(
            "Pluses only. Stop at 15 to 19 and let a card lift you to 20; it cannot take a bust"
            " back."
        ),
        STARTER,
    ),
    ReadyMade(
        "daredevil",
        "The Daredevil",
        say("Minuses only. Draw once more than seems wise and take the damage off again."),
        ("M1", "M2", "M2", "M3", "M3", "M4", "M4", "M5", "M5", "M6"),
    ),
    ReadyMade(
        "cool-head",
        "The Cool Head",
        say(
            "A minus for every bust, fine steps for the rest, no card twice: what the computer"
            " brings."
        ),
        _REFERENCE["full"],
    ),
    ReadyMade(
        "diplomat",
        "The Diplomat",
        say("Plus-or-minus throughout: an answer to everything, never more than it takes."),
        ("PM1", "PM1", "PM2", "PM2", "PM3", "PM3", "PM4", "PM4", "PM5", "PM6"),
    ),
    ReadyMade(
        "turncoat",
        "The Turncoat",
        say("Flips. Draw far past 20 and turn the whole board over; mind what will be turned."),
        ("PM1", "PM2", "PM3", "PM4", "F12", "F16", "F23", "F24", "F35", "F36"),
    ),
    ReadyMade(
        "last-word",
        "The Last Word",
        say("Tiebreakers and fine steps. Match a standing rival exactly and win the tie."),
        ("PM1", "PM2", "PM3", "PM4", "PM5", "PM12", "PM12", "T", "T", "T"),
    ),
    ReadyMade(
        "full-table",
        "The Full Table",
        say("Small steps both ways and a few doubles: nine cards at 20 or less beat everybody."),
        ("P1", "P1", "M5", "M6", "PM1", "PM1", "PM6", "PM12", "PM12", "D"),
    ),
)


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Known cards in catalogue order, the canonical order of a side deck (FORMAT.md §1)."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def faults(
    cards: Sequence[str], catalogue: str = "full", max_copies: int | None = None
) -> tuple[Phrase, ...]:
    """Everything that keeps ``cards`` from being a legal side deck, a sentence each."""
    copies = Counter(cards)
    return (
        *_wrong_size(cards),
        *(unknown_card(code) for code in copies if code not in CARD),
        *_outside(copies, catalogue),
        *_too_many(copies, max_copies),
    )


def unknown_card(code: str) -> Phrase:
    """The fault of a code that no side card has."""
    return say(
        "{code} is not a side card; they are written like P3, M3, PM3, PM12, F24, D and T.",
        code=repr(code[:20]),
    )


def legal_catalogues(cards: Sequence[str]) -> tuple[str, ...]:
    """The catalogues in which ``cards`` is a legal side deck, copies not limited."""
    return tuple(name for name in CATALOGUES if not faults(cards, name))


def reference_deck(catalogue: str) -> tuple[str, ...]:
    """The side deck that honest bots bring: legal everywhere, no card twice."""
    return _REFERENCE["kotor1" if catalogue == "kotor1" else "full"]


def cheater_deck(catalogue: str) -> tuple[str, ...]:
    """The side deck of the bot ``cheater`` (R25), copies not limited."""
    return _CHEATER["kotor1" if catalogue == "kotor1" else "full"]


def _wrong_size(cards: Sequence[str]) -> tuple[Phrase, ...]:
    if len(cards) == DECK_SIZE:
        return ()
    return (
        say(
            "A side deck has exactly {size} cards; this one has {count}.",
            size=DECK_SIZE,
            count=len(cards),
        ),
    )


def _outside(copies: Mapping[str, int], catalogue: str) -> tuple[Phrase, ...]:
    known = [code for code in copies if code in CARD and code not in CATALOGUES[catalogue]]
    return tuple(
        say(
            "{code} ({card}) is not in the catalogue {catalogue}.",
            code=code,
            card=CARD[code].name,
            catalogue=repr(catalogue),
        )
        for code in known
    )


def _too_many(copies: Mapping[str, int], max_copies: int | None) -> tuple[Phrase, ...]:
    if max_copies is None:
        return ()
    return tuple(
        say(
            "{code} ({card}) is in the deck {count} times; {most} allowed.",
            code=code,
            card=CARD[code].name,
            count=count,
            most=max_copies,
        )
        for code, count in copies.items()
        if code in CARD and count > max_copies
    )
