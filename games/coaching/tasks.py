"""Celery's door: one service call each."""

from celery import shared_task

from games.coaching import hints, work


@shared_task
def judge() -> None:
    work.judge_for_a_while()


@shared_task(expires=30)
def advise(hint_id: int) -> None:
    hints.weigh(hint_id)


@shared_task(expires=10)
def look_after() -> None:
    work.resend_quiet()
    hints.forget_old()
