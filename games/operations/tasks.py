"""Celery's door: an id in, one service call."""

from uuid import UUID

from celery import shared_task

from games.operations import bulk, figures, people


@shared_task
def work_off(run_id: str) -> None:
    bulk.work_off(UUID(run_id))


@shared_task(expires=10)
def resume() -> None:
    bulk.resume()


@shared_task(expires=50)
def look_after() -> None:
    """Every minute: suspensions that end, samples for the dashboard."""
    people.lift_what_has_ended()
    figures.take_samples()
