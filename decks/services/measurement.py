"""Measuring how often ten cards win: asked for once, played in short chunks by the workers.

The row says what is owed. A message carries the code and how far the matches were played when it
was sent; a message that was delivered twice, or overtaken, finds the row further on and drops out.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from decks import selectors, share_codes
from decks.messages import send_chunk
from decks.models import Measurement
from decks.profiles import playouts
from decks.refusals import MeasuringBusy

MATCHES: Final = 2000
CHUNK: Final = 50  # some 0.3 s: the computer's moves at the tables wait for no more than that
LOST_AFTER: Final = timedelta(seconds=10)
MOST_AT_ONCE: Final = 20


def ask(*, cards: Sequence[str]) -> Measurement:
    """Has ten cards measured, unless they were already. Raises MeasuringBusy."""
    code = share_codes.encode(cards)
    found = selectors.measurement(code)
    if found:
        return found
    if selectors.unfinished().count() >= MOST_AT_ONCE:
        raise MeasuringBusy
    row, is_new = Measurement.objects.get_or_create(
        code=code, **selectors.terms(), defaults={"wanted": MATCHES}
    )
    if is_new:
        _send(code, 0)
    return row


def play_on(*, code: str, played: int) -> None:
    """Plays the next chunk and asks for the one after it; nothing if the row has moved on."""
    row = selectors.measurement(code)
    if row is None or row.played != played or row.is_finished:
        return
    count = min(CHUNK, row.wanted - played)
    won = playouts.wins(share_codes.decode(code), played, count)
    mine = Measurement.objects.filter(pk=row.pk, played=played).update(
        played=F("played") + count, won=F("won") + won, moved_at=Now()
    )
    if mine and played + count < row.wanted:
        _send(code, played + count)


def keep_going(measurement: Measurement) -> None:
    """Sends the message again when nothing has come of it for some time."""
    row = Measurement.objects.filter(
        pk=measurement.pk, played=measurement.played, moved_at__lt=Now() - LOST_AFTER
    )
    if not measurement.is_finished and row.update(moved_at=Now()):
        _send(measurement.code, measurement.played)


def _send(code: str, played: int) -> None:
    transaction.on_commit(lambda: send_chunk(code, played))
