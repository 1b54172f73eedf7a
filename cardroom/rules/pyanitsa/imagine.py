"""A possible world behind a view, for bots that search."""

from collections.abc import Iterator, Sequence
from random import Random

from cardroom.rules.cards import CARD, pack
from cardroom.rules.pyanitsa.events import shown_by
from cardroom.rules.pyanitsa.state import Laid, Piles, PyanitsaState
from cardroom.rules.pyanitsa.view import PyanitsaView, TableCard
from cardroom.rules.values import Event


def imagine(view: PyanitsaView, rng: Random, events: Sequence[Event] = ()) -> PyanitsaState:
    """A possible world: the cards not on show are dealt at random into the piles.

    A card that the events show is in play, so it is not among those set aside. The piles lie in
    another order each time.
    """
    on_show = {CARD[laid.card] for laid in view.table if laid.card is not None}
    unseen = [card for card in pack(view.options.deck) if card not in on_show]
    rng.shuffle(unseen)
    shown_before = {CARD[code] for event in events for code in shown_by(event)}
    unseen.sort(key=shown_before.__contains__)
    aside, rest = unseen[: view.set_aside], unseen[view.set_aside :]
    rng.shuffle(rest)
    cards = iter(rest)
    return PyanitsaState(
        options=view.options,
        draw=_piles(view.draw_counts, cards),
        won=_piles(view.won_counts, cards),
        aside=tuple(aside),
        leader=view.leader,
        trick_no=view.trick_no,
        out_in=view.out_in,
        to_lay=view.to_lay,
        table=tuple([_imagined(laid, cards) for laid in view.table]),
        level=view.level,
        disputing=view.disputing,
        mortgage=view.mortgage,
        taker=view.taker,
    )


def _piles(counts: Sequence[int], cards: Iterator[int]) -> Piles:
    return tuple([tuple([next(cards) for _ in range(count)]) for count in counts])


def _imagined(laid: TableCard, cards: Iterator[int]) -> Laid:
    card = next(cards) if laid.card is None else CARD[laid.card]
    return Laid(seat=laid.seat, card=card, level=laid.level, face_down=laid.face_down)
