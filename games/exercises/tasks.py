"""Celery's door: one service call each."""

from celery import shared_task

from games.exercises import collecting, looking, shipped


@shared_task
def look() -> None:
    looking.look_for_a_while()


@shared_task(expires=30)
def look_after() -> None:
    """Every half minute."""
    shipped.settle()
    collecting.collect_mistakes()
    collecting.collect_tonight()
    looking.resend_quiet()
