"""Celery's door: one service call each."""

from celery import shared_task

from accounts.notifications import delivering, forgetting
from accounts.notifications.mail import asking


@shared_task(expires=6)
def deliver() -> None:
    asking.ask_all()
    delivering.deliver()


@shared_task(expires=3000)
def forget() -> None:
    forgetting.forget_old()
