"""Many matches of Pazaak at once: ``cardroom.research.batch`` on the world of the kernel."""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.binding import bound
from cardroom.fast.kernel import Kernel
from cardroom.fast.pazaak import KERNEL
from cardroom.fast.pazaak.match import finish, is_over
from cardroom.research.batch import NOBODY, Batch, deal_lanes, look_lanes, play_lanes
from cardroom.rules.encoding import MOST
from cardroom.rules.pazaak import encoding as places
from cardroom.rules.pazaak.bots.world import (
    CHOICES,
    CLOSE,
    MAIN_CODE,
    MAIN_SIZE,
    OVER,
    PLAY,
    START,
    TIEBREAKER,
    WAY_COUNTS,
    PazaakWorld,
    card_to_play,
    cards_to_play,
    fits,
    open_match,
    play,
)
from cardroom.rules.pazaak.predicates import MOVES, WAYS
from cardroom.rules.pazaak.side_cards import CODES

STAND, DRAW, PASS, END = [list(MOVES).index(word) for word in ("stand", "draw", "pass", "end")]
# Of every action the choice in the world; the action of the first way of a card.
CHOSEN: Final = numpy.array([CHOICES[move] for move in MOVES], dtype=numpy.int64)
FIRST_OF: Final = tuple(list(MOVES).index(WAYS[code][0]) for code in CODES)


def act(words: Any, world: PazaakWorld, action: int) -> None:
    chosen = CHOSEN[action]
    play(world, chosen[0], chosen[1], words)


def allow(world: PazaakWorld, own: int, mask: Any) -> None:
    """Every legal action of the seat to act."""
    if world.turn != own:
        return
    if world.phase == START:
        mask[DRAW] = mask[STAND] = 1
        return
    if world.phase == CLOSE or world.at_end:
        mask[END] = mask[STAND] = 1
    else:
        mask[PASS] = 1
    for at in range(cards_to_play(world, world.turn) if world.phase == PLAY else 0):
        card = card_to_play(world, world.turn, at)
        for way in range(WAY_COUNTS[card] if fits(world, card) else 0):
            mask[FIRST_OF[card] + way] = 1


def see(world: PazaakWorld, own: int, out: Any) -> None:
    """Write the observation of a seat as ``encoding.observe`` does, except the options."""
    out[places.PHASE + world.phase] = 1
    for at in range(world.hand_size[own]):
        out[places.HAND + world.hand[own][at]] += 1
    for at in range(world.side_size[own]):
        out[places.SIDE_DECK + world.side[own][at]] += 1
    out[places.STARTER] = world.starter == own
    out[places.ROUND_NO] = min(world.round_no, MOST)
    see_half(world, own, out, places.OWN)
    see_half(world, 1 - own, out, places.RIVAL)


def see_half(world: PazaakWorld, seat: int, out: Any, start: int) -> None:
    for at in range(world.board_size[seat]):
        code = world.codes[seat][at]
        out[start + places.VALUES + at] = world.board[seat][at]
        out[start + places.SIDE + at] = code < MAIN_CODE
        out[start + places.TIEBREAKERS + at] = code == TIEBREAKER
    for at in range(world.played_size[seat]):
        out[start + places.PLAYED + world.played[seat][at]] += 1
    first = start + places.FACTS
    out[first] = world.total[seat]
    out[first + 1] = world.standing[seat]
    out[first + 2] = world.wins[seat]
    out[first + 3] = world.hand_size[seat]
    out[first + 4] = world.side_size[seat]
    out[first + 5] = MAIN_SIZE - world.drawn[seat]
    out[first + 6] = world.allowance[seat] >= 0
    out[first + 7] = max(0, world.allowance[seat])


class PazaakBatch(Batch):
    """See ``Batch``. An action is a text of ``pazaak.moves``."""

    slug: ClassVar[str] = "pazaak"
    kernel: ClassVar[Kernel] = KERNEL
    deal = staticmethod(bound(deal_lanes, open_match=open_match))
    play = staticmethod(bound(play_lanes, act=act, is_over=is_over, finish=finish))
    look = staticmethod(bound(look_lanes, see=see, allow=allow, is_over=is_over))

    def _to_act(self) -> Any:
        worlds = self._tables[1][:, 0]
        return numpy.where(worlds["phase"] == OVER, NOBODY, worlds["turn"])


BATCH: Final = PazaakBatch
