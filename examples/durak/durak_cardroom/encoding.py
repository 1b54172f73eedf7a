"""Moves and views as numbers, for programs that learn."""

from array import array
from collections.abc import Iterable
from typing import Final

from cardroom.rules.cards import pack, texts
from cardroom.rules.encoding import (
    MOST,
    Feature,
    Layout,
    capped,
    numbered,
    option_features,
    option_numbers,
)
from durak_cardroom.moves import PASS, TAKE, TRANSFER
from durak_cardroom.options import DurakOptions
from durak_cardroom.view import DurakView

SEATS: Final = 6
CODES: Final = texts(pack(52))
PLACE: Final = {code: at for at, code in enumerate(CODES)}
CARDS: Final = len(CODES)

ACTIONS: Final = numbered((*CODES, *[f"{TRANSFER} {code}" for code in CODES], TAKE, PASS))

OBSERVATION: Final = Layout(
    Feature("hand", CARDS, "1 for every card in the own hand"),
    Feature("trump", CARDS, "1 for the trump card"),
    Feature("attacks", CARDS, "1 to 6 for every card to be beaten, in their order", most=6),
    Feature("defences", CARDS, "1 to 6 for every card that beats one, in their order", most=6),
    Feature("gone", CARDS, "1 for every discarded card"),
    Feature("known", SEATS * CARDS, "1 for every card that everybody saw go to a hand, by seat"),
    Feature("hand_sizes", SEATS, "cards in hand, by seat", most=52),
    Feature("attacker", SEATS, "1 for the attacker"),
    Feature("defender", SEATS, "1 for the defender"),
    Feature("passed", SEATS, "1 for a seat that passed"),
    Feature("out", SEATS, "the place of a seat that is out, else 0", most=SEATS),
    Feature("points", SEATS, "points, by seat", most=MOST),
    Feature("fool", SEATS, "1 for the fool of the last game"),
    Feature("talon", 1, "cards in the talon", most=52),
    Feature("limit", 1, "how many cards the attack may have", most=6),
    Feature("taking", 1, "1 while the defender takes"),
    Feature("attacks_over", 1, "attacks of this game that are over", most=MOST),
    Feature("takes", 1, "attacks in a row that were taken", most=MOST),
    Feature("game", 1, "the number of the game", most=MOST),
    *option_features(DurakOptions),
)
AT: Final = OBSERVATION.starts


def observe(view: DurakView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``; seats are counted from the own one."""
    out, own, players = OBSERVATION.blank(), view.seat or 0, view.options.players
    _mark(out, "hand", view.hand)
    _mark(out, "trump", (view.trump,))
    _mark(out, "gone", view.gone)
    for name, codes in (("attacks", view.attacks), ("defences", view.defences)):
        for nth, code in enumerate(codes):
            out[AT[name] + PLACE[code]] = nth + 1
    for nth in range(players):
        _seat(out, view, nth, (own + nth) % players)
    for name in ("talon", "limit", "attacks_over", "takes", "game"):
        out[AT[name]] = capped(getattr(view, name))
    out[AT["taking"]] = int(view.taking)
    first = OBSERVATION.size - len(option_numbers(view.options))
    out[first:] = option_numbers(view.options)
    return out


def _mark(out: "array[int]", name: str, codes: Iterable[str], offset: int = 0) -> None:
    for code in codes:
        out[AT[name] + offset + PLACE[code]] = 1


def _seat(out: "array[int]", view: DurakView, nth: int, seat: int) -> None:
    _mark(out, "known", view.known[seat], nth * CARDS)
    out[AT["hand_sizes"] + nth] = view.hand_sizes[seat]
    out[AT["out"] + nth] = view.places[seat]
    out[AT["points"] + nth] = capped(view.points[seat])
    for name, holds in (
        ("attacker", view.attacker == seat),
        ("defender", view.defender == seat),
        ("passed", view.passed[seat]),
        ("fool", view.fool == seat),
    ):
        out[AT[name] + nth] = int(holds)
