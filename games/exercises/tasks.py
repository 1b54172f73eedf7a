"""Celery's door: one service call each."""

from celery import shared_task

from games.exercises.collecting import choosing, looking, shipped


@shared_task
def look() -> None:
    looking.look_for_a_while()


@shared_task(expires=30)
def look_after() -> None:
    """Every half minute."""
    shipped.settle()
    choosing.collect_mistakes()
    choosing.collect_tonight()
    looking.resend_quiet()
