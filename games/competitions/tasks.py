"""Celery's door: one service call each."""

from celery import shared_task

from games.competitions.running import paying


@shared_task(expires=10)
def pay() -> None:
    paying.pay_all()
