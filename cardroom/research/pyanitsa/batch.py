"""Many matches of Pyanitsa at once: ``cardroom.research.batch`` on the record of the kernel."""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.binding import bound
from cardroom.fast.kernel import Kernel
from cardroom.fast.pyanitsa import KERNEL
from cardroom.fast.pyanitsa.match import PyanitsaMatch, finish, is_over, open_match, take_turn
from cardroom.research.batch import NOBODY, Batch, deal_lanes, look_lanes, play_lanes
from cardroom.rules.cards import RANK
from cardroom.rules.encoding import MOST
from cardroom.rules.pyanitsa import encoding as places

LAY, OVER = places.PHASES.index("lay"), places.PHASES.index("over")


def allow(match: PyanitsaMatch, own: int, mask: Any) -> None:
    mask[0] = match.to_lay[match.lay_from] == own


def see(match: PyanitsaMatch, own: int, out: Any) -> None:
    players = match.players
    out[places.PHASE + (LAY if match.to_lay_size else OVER)] = 1
    out[places.LEADER + (match.leader - own) % players] = 1
    for nth in range(match.disputing):
        out[places.DISPUTING + (match.tied[nth] - own) % players] = 1
    for nth in range(match.lay_from, match.to_lay_size):
        out[places.TO_LAY + (match.to_lay[nth] - own) % players] = 1
    for nth in range(match.table_size):
        newest, card = places.NEWEST + (match.laid_seat[nth] - own) % players, match.laid_card[nth]
        out[newest] = places.FACE_DOWN
        if not match.laid_down[nth]:
            out[newest] = places.FACE_DOWN + 1 + RANK[card]
            out[places.TABLE + card] = 1
    out[places.CARDS_ON_TABLE] = match.table_size
    out[places.LEVEL] = match.level
    out[places.MORTGAGE] = match.mortgage
    out[places.TRICK_NO] = min(match.trick_no, MOST)
    for seat in range(players):
        at = (own + seat) % players
        out[places.DRAW_COUNTS + seat] = match.draw[at]
        out[places.WON_COUNTS + seat] = match.won[at]
        out[places.OUT + seat] = match.out_in[at] > 0
    out[places.SET_ASIDE] = match.deck_size % players


class PyanitsaBatch(Batch):
    """See ``Batch``. Nobody has a choice here, so the only action turns a card up."""

    slug: ClassVar[str] = "pyanitsa"
    kernel: ClassVar[Kernel] = KERNEL
    deal = staticmethod(bound(deal_lanes, open_match=open_match))
    play = staticmethod(bound(play_lanes, act=take_turn, is_over=is_over, finish=finish))
    look = staticmethod(bound(look_lanes, see=see, allow=allow, is_over=is_over))

    def _to_act(self) -> Any:
        matches = self._tables[1][:, 0]
        following = matches["to_lay"][numpy.arange(len(self)), matches["lay_from"]]
        return numpy.where(matches["to_lay_size"] == 0, NOBODY, following)


BATCH: Final = PyanitsaBatch
