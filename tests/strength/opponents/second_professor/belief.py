"""What a seat knows of a match and believes of the rival, from its view and its events.

The rival's side deck is secret. It is taken for one of the decks that many bring, for one like the
own or for the computers' own, whichever hold most of what the rival has played. A cheater's side
deck is known to all (R25). ``sampling`` deals worlds from this.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from games.rules.pazaak.bots.chances import halves
from games.rules.pazaak.bots.world import (
    CLOSE,
    HONEST,
    LONGEST,
    NUMBER,
    OVER,
    PLAY,
    START,
    PazaakWorld,
    empty_world,
)
from games.rules.pazaak.events import CardPlayed, HandDrawn, MainDrawn, Opener, Passed
from games.rules.pazaak.predicates import TARGET, unseen_main
from games.rules.pazaak.side_cards import (
    CATALOGUES,
    READY_MADE,
    cheater_deck,
    faults,
    reference_deck,
)
from games.rules.pazaak.view import HalfView, PazaakView
from games.rules.values import Event, Seat
from tests.strength.opponents.second_professor.prospects import reaches
from tests.strength.opponents.second_professor.sampling import Known

PHASES: Final = {"turn_start": START, "turn_play": PLAY, "turn_close": CLOSE, "over": OVER}


def believed(view: PazaakView, me: Seat, events: Sequence[Event]) -> Known:
    """What the seat to play knows, and which decks the rival may have."""
    world = empty_world(view.options, me)
    for seat, half in enumerate(view.halves):
        _lay_out(world, seat, half)
    world.hand_size[me] = _put(world.hand[me], _numbers(view.hand or ()))
    world.side_size[me] = _put(world.side[me], _numbers(view.side_deck or ()))
    world.round_no, world.turn, world.phase = view.round_no, me, PHASES[view.phase]
    world.starter = world.opener = view.starter
    world.modelled = int(reaches(world))
    world.last = world.round_no if world.modelled else max(LONGEST, world.round_no)
    unseen, (decks, held) = _unseen(view, events), _rivals_decks(view)
    return Known(
        worlds=[world],
        unseen=unseen,
        likely=decks,
        sizes=[len(cards) for cards in (*unseen, *decks)],
        held=held,
        passed=passed_by(events, 1 - me),
    )


def _lay_out(world: PazaakWorld, seat: Seat, half: HalfView) -> None:
    board = half.board
    world.board_size[seat] = _put(world.board[seat], [card.value for card in board])
    world.total[seat] = half.total
    world.newest_tie[seat] = int(bool(board) and board[-1].code == "T")
    world.ties[seat] = int(any(card.code == "T" for card in board))
    world.standing[seat] = int(half.standing)
    world.allowance[seat] = HONEST if half.allowance is None else half.allowance
    world.wins[seat] = half.wins


def _put(places: list[int], values: Sequence[int]) -> int:
    """Lays these into the first places; how many they are."""
    places[: len(values)] = values
    return len(values)


def _unseen(view: PazaakView, events: Sequence[Event]) -> list[list[int]]:
    """Of both main decks. The bottom cards shown at the opening are in those of round 1, and are
    never drawn (R6)."""
    decks = [unseen_main(half.board) for half in view.halves]
    if view.round_no == 1:
        for event in events:
            if isinstance(event, Opener):
                for deck, bottom in zip(decks, event.values, strict=True):
                    deck.remove(bottom)
    return decks


def _rivals_decks(view: PazaakView) -> tuple[list[list[int]], int]:
    """What the rival's deck may still hold, and how much of it is in the hand."""
    rival = halves(view)[1]
    played = Counter(rival.played)
    if rival.allowance is not None:
        left = Counter(cheater_deck(view.options.catalogue)) - played
        return [_numbers(left.elements())], 0
    decks = [_numbers(_left(deck, played, rival)) for deck in likely_decks(view, played)]
    return decks, rival.cards_in_hand


def _numbers(codes: Iterable[str]) -> list[int]:
    return [NUMBER[code] for code in codes]


def passed_by(events: Sequence[Event], rival: Seat) -> list[list[int]]:
    """What the rival let pass: amounts that would have made 20 or undone a bust, from one to below
    another, and the number of side cards that it drew since."""
    passed: list[list[int]] = []
    played = True
    for event in events:
        match event:
            case MainDrawn(seat=seat) if seat == rival:
                played = False
            case CardPlayed(seat=seat) if seat == rival:
                played = True
            case Passed(seat=seat, total=total) if seat == rival and not played:
                if total > TARGET:
                    passed.append([-40, TARGET - total + 1, 0])
                elif total < TARGET:
                    passed.append([TARGET - total, TARGET - total + 1, 0])
            case HandDrawn(seat=seat, count=count) if seat == rival:
                passed = [[low, high, since + count] for low, high, since in passed]
    return passed


def likely_decks(view: PazaakView, played: Counter[str]) -> list[tuple[str, ...]]:
    """Decks that many bring and one like the own, those that hold most of what was played."""
    mine = halves(view)[0]
    own = (*mine.played, *(view.hand or ()), *(view.side_deck or ()))
    decks = [*_known_decks(view.options.catalogue), own]
    fits = [(Counter(deck) & played).total() for deck in decks]
    return [deck for deck, fit in zip(decks, fits, strict=True) if fit == max(fits)]


@lru_cache
def _known_decks(catalogue: str) -> tuple[tuple[str, ...], ...]:
    ready = [deck.cards for deck in READY_MADE if not faults(deck.cards, catalogue)]
    reference = reference_deck(catalogue)
    return (*ready, *([] if reference in ready else [reference]))


def _left(deck: tuple[str, ...], played: Counter[str], rival: HalfView) -> list[str]:
    """What such a deck still holds, filled up where the rival played other cards."""
    left = list((Counter(deck) - played).elements())
    size = rival.cards_in_hand + rival.cards_in_side_deck
    return [*left, *CATALOGUES["kotor1"]][:size] if len(left) < size else left
