"""The motions of one move, for a script: cards fly to their places, words are called out."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from cardroom.rules.values import Event
from durak_cardroom import events as happened
from durak_cardroom.options import HAND
from games.web.parts.motions import Motion, call, fly, rest, seat_spot, sweep


def motions(events: Sequence[Event]) -> Iterator[Motion]:  # noqa: C901 - one line an event
    for event in events:
        match event:
            case happened.Dealt():
                for seat in range(len(event.hands)):
                    yield fly("talon", seat_spot(seat), count=HAND)
            case happened.Attacked() | happened.Transferred():
                yield fly(seat_spot(event.seat), f"lay-a-{event.nth}", event.card)
            case happened.Beat():
                yield fly(seat_spot(event.seat), f"lay-d-{event.nth}", event.card)
            case happened.GaveUp():
                yield call(_("I take!"), "red")
            case happened.Discarded():
                yield rest(600)
                yield sweep("trick", "gone")
            case happened.Took():
                yield rest(600)
                yield sweep("trick", seat_spot(event.seat))
            case happened.Drew():
                yield fly("talon", seat_spot(event.seat), count=event.count)
            case happened.WentOut():
                yield call(_("Out!"), "quiet")
            case happened.GameOver():
                yield _over(event)


def _over(event: happened.GameOver) -> Motion:
    if event.fool is None:
        return call(_("No fool"), "quiet")
    return call(_("The fool!"), "red", effect="bust", at=seat_spot(event.fool))
