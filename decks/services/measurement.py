"""Measuring how often ten cards win: a simulation of the deck against the reference deck.

The same bot plays both decks, each at either seat with the same cards drawn. The simulation has no
owner, as all decks of the same cards share it.
"""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.services.neighbours import counted_with
from cardroom.rules.pazaak.side_cards import in_order
from decks import selectors, share_codes
from decks.models import Measurement
from decks.refusals import TooManyMeasurements
from games.simulations import requests
from games.simulations.models import Simulation

MATCHES: Final = 2000
SEED: Final = 1  # the same cards are drawn for every deck, so results compare
BOT: Final = "gambler"


def request_measurement(*, cards: Sequence[str], requester: User) -> Measurement:
    """Has ten cards measured, unless they have been. Raises TooManyMeasurements."""
    code = share_codes.encode(cards)
    measured = selectors.measurement(code)
    if measured:
        return measured
    with locked_accounts(requester.pk):
        requesters = counted_with(requester.pk)
        running = selectors.running_measurements(*requesters.ids)
        if running.count() >= requesters.most(settings.LIMITS["measurements"]):
            raise TooManyMeasurements
        terms = selectors.terms()
        row, _ = Measurement.objects.select_for_update().get_or_create(code=code, **terms)
        if not row.holds:
            row.simulation = _start(cards, requester)
            row.save(update_fields=["simulation"])
    return row


def forget(measurements: QuerySet[Measurement]) -> None:
    """Deletes measurements with their simulations; their decks can be measured again."""
    Simulation.objects.filter(measurement__in=measurements).delete()
    measurements.delete()  # what an earlier release has measured has no simulation


def _start(cards: Sequence[str], requester: User) -> Simulation:
    return requests.start(
        owner=None,
        requester=requester,
        game="pazaak",
        bots=(BOT,),
        side_decks=(in_order(cards), selectors.REFERENCE),
        games=MATCHES,
        seed=SEED,
        swap=True,
    )
