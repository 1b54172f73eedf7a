"""What a hand can do to a total: exactly for the own cards, by samples for the rival's."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from games.rules.pazaak.bots.chances import halves
from games.rules.pazaak.moves import CARD_PLAYS, WAYS
from games.rules.pazaak.predicates import Board, is_flipped
from games.rules.pazaak.side_cards import CATALOGUES, READY_MADE, cheater_deck, faults
from games.rules.pazaak.view import PazaakView

SAMPLES: Final = 32
_LOWEST: Final = -40  # bit 0 of a mask of changes


def changes(codes: Iterable[str], board: Board) -> frozenset[int]:
    """What playing one of the cards can add to the total; a double is left out: who knows."""
    return frozenset(
        change for code in codes for move in WAYS[code] for change in _change(move, board)
    )


def _change(move: str, board: Board) -> tuple[int, ...]:
    play = CARD_PLAYS[move]
    if play.kind == "double":
        return ()
    numbers = play.flips
    if numbers is None:
        return (play.amount,)
    turned = sum(card.value for card in board if is_flipped(card.value, numbers))
    return (max(-2 * turned, _LOWEST),) if turned else ()


class RivalHands:
    """Sampled hands of the rival, each as the set of changes it allows."""

    def __init__(self, view: PazaakView, rng: Random) -> None:
        board = halves(view)[1].board
        hands = _sampled(view, rng)
        self._masks = [
            sum(1 << change - _LOWEST for change in changes(hand, board)) for hand in hands
        ]
        self._known: dict[tuple[int, int], float] = {}

    def reach(self, low: int, high: int) -> float:
        """The chance that the hand holds a card that changes the total by ``low`` … ``high``."""
        found = self._known.get((low, high))
        if found is None:
            wanted = sum(1 << change - _LOWEST for change in range(max(low, _LOWEST), high + 1))
            found = sum(mask & wanted != 0 for mask in self._masks) / len(self._masks)
            self._known[low, high] = found
        return found


def _sampled(view: PazaakView, rng: Random) -> list[Sequence[str]]:
    rival = halves(view)[1]
    played = Counter(rival.played)
    if rival.allowance is not None:  # R25: everybody knows what it may choose from
        left = Counter(cheater_deck(view.options.catalogue)) - played
        return [tuple(left.elements()) if rival.allowance else ()]
    if not rival.cards_in_hand:
        return [()]
    decks = [_left(deck, played, view) for deck in _likely_decks(view, played)]
    return [rng.sample(rng.choice(decks), rival.cards_in_hand) for _ in range(SAMPLES)]


def _likely_decks(view: PazaakView, played: Counter[str]) -> list[tuple[str, ...]]:
    """Ready-made decks and one like the own, those that hold most of what the rival played."""
    mine = halves(view)[0]
    own = (*mine.played, *(view.hand or ()), *(view.side_deck or ()))
    decks = [*_ready_made(view.options.catalogue), own]
    fits = [(Counter(deck) & played).total() for deck in decks]
    return [deck for deck, fit in zip(decks, fits, strict=True) if fit == max(fits)]


@lru_cache
def _ready_made(catalogue: str) -> tuple[tuple[str, ...], ...]:
    return tuple(deck.cards for deck in READY_MADE if not faults(deck.cards, catalogue))


def _left(deck: tuple[str, ...], played: Counter[str], view: PazaakView) -> list[str]:
    """What such a deck still holds, filled up where the rival played other cards."""
    rival = halves(view)[1]
    left = list((Counter(deck) - played).elements())
    size = rival.cards_in_hand + rival.cards_in_side_deck
    spare = CATALOGUES["kotor1"]
    return [*left, *spare[: max(0, size - len(left))]]
