"""The Celery tasks: each calls one service."""

from celery import shared_task

from games.ratings import services
from games.ratings.people import rating


@shared_task(expires=300)
def finish_all() -> None:
    """Every few minutes."""
    services.look_after()


@shared_task(expires=10)
def rate_finished() -> None:
    """Every two seconds."""
    rating.rate_finished()
