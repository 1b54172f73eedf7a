"""How chance acts in a game of OpenSpiel: it makes each deck when the rules ask for it.

Chance acts by numbers that stand in the history, so a history is played again to the same state.

* ``seed``: three numbers below 1024 are the seed of one deck, so there are 2^30 of it.
* ``cards``: every number is a card, dealt from the top of the deck; all decks, each with its true
  chance. Longer histories, and the way for small decks and for exact solvers.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from cardroom.rules.shuffles import Sealed, Shuffle
from cardroom.rules.values import AnyCard, Deck, Move, Seat

Chance: TypeAlias = Literal["seed", "cards"]
CHANCES: Final[tuple[Chance, ...]] = get_args(Chance)
DIGITS: Final = 3
BASE: Final = 1024
MOST_CARDS: Final = 108  # of the largest pack: two of 54


class DeckNeeded(Exception):
    """The rules asked for one more deck than chance has made."""

    def __init__(self, pack: Sequence[AnyCard]) -> None:
        super().__init__(len(pack))
        self.pack = tuple(pack)


def dealt(decks: Sequence[Deck]) -> Shuffle:
    """Gives the rules these decks, one after the other; then raises ``DeckNeeded``."""
    left = iter(decks)

    def shuffle(pack: Sequence[Any], /) -> list[Any]:
        deck = next(left, None)
        if deck is None:
            raise DeckNeeded(pack)
        return list(deck)

    return shuffle


class Dealing(NamedTuple):
    """A step that waits for chance: ``move`` of ``seat``, or the start, where both are None.

    ``decks`` are complete; of the deck of ``pack`` chance has made the ``actions`` so far.
    """

    seat: Seat | None
    move: Move | None
    decks: tuple[Deck, ...]
    pack: Deck = ()
    actions: tuple[int, ...] = ()


def outcomes(dealing: Dealing, chance: Chance) -> list[tuple[int, float]]:
    """The next numbers that chance may bring, each with its probability."""
    return _OUTCOMES[chance](dealing)


def deck_after(dealing: Dealing, chance: Chance) -> Deck | None:
    """The whole deck, once chance has made enough of it."""
    return _DECKS[chance](dealing)


def in_words(dealing: Dealing, action: int, chance: Chance, text: Callable[[Any], str]) -> str:
    if chance == "seed":
        return f"seed {action}"
    return f"deal {text(_kinds(dealing.pack)[action])}"


def most_outcomes(chance: Chance) -> int:
    return BASE if chance == "seed" else MOST_CARDS


def _seeds(_dealing: Dealing) -> list[tuple[int, float]]:
    return [(digit, 1 / BASE) for digit in range(BASE)]


def _deck_of_seed(dealing: Dealing) -> Deck | None:
    if len(dealing.actions) < DIGITS and len(set(dealing.pack)) > 1:
        return None
    seed = b"".join(digit.to_bytes(2, "big") for digit in dealing.actions)
    return tuple(Sealed(seed)(dealing.pack))


def _cards(dealing: Dealing) -> list[tuple[int, float]]:
    left = _left(dealing)
    count = left.total()
    return [(card, left[card] / count) for card in sorted(left)]


def _deck_of_cards(dealing: Dealing) -> Deck | None:
    left = +_left(dealing)
    if len(left) > 1:
        return None
    kinds = _kinds(dealing.pack)
    return tuple([kinds[at] for at in (*dealing.actions, *left.elements())])


def _left(dealing: Dealing) -> Counter[int]:
    numbers = {card: number for number, card in enumerate(_kinds(dealing.pack))}
    return Counter(numbers[card] for card in dealing.pack) - Counter(dealing.actions)


def _kinds(pack: Deck) -> list[AnyCard]:
    """The different cards of a pack; an action is the place of a card among them."""
    return list(dict.fromkeys(pack))


_OUTCOMES: Final[Mapping[Chance, Callable[[Dealing], list[tuple[int, float]]]]] = {
    "seed": _seeds,
    "cards": _cards,
}
_DECKS: Final[Mapping[Chance, Callable[[Dealing], Deck | None]]] = {
    "seed": _deck_of_seed,
    "cards": _deck_of_cards,
}
