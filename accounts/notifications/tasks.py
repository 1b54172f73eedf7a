"""Celery's door: one service call each."""

from celery import shared_task

from accounts.notifications import delivering, forgetting
from accounts.notifications.mail import asking


# The calls that are begun last are given their ten seconds (`delivering`).
@shared_task(expires=6, soft_time_limit=45, time_limit=55)
def deliver() -> None:
    asking.ask_all()
    delivering.deliver()


@shared_task(expires=3000)
def forget() -> None:
    forgetting.forget_old()
