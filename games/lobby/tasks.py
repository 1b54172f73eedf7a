"""Celery's door: one service call each."""

from celery import shared_task

from games.lobby import announcements, pairing
from games.lobby.challenges import expiring


@shared_task(expires=5)
def pair() -> None:
    announcements.hear()
    pairing.pair_all()


@shared_task(expires=50)
def forget() -> None:
    pairing.forget()
    expiring.forget()


@shared_task(expires=5)
def expire_challenges() -> None:
    expiring.expire_all()
