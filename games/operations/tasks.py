"""Celery's door: an id in, one service call."""

from uuid import UUID

from celery import shared_task

from games.operations.nights import audits, missed, retention
from games.operations.people import leaving, people
from games.operations.refereeing import bulk
from games.operations.watching import figures


@shared_task
def work_off(run_id: str) -> None:
    bulk.work_off(UUID(run_id))


@shared_task(expires=10)
def resume() -> None:
    bulk.resume()
    audits.resume()


@shared_task(expires=50)
def make_up_nights() -> None:
    missed.make_up()


@shared_task
def clean_up() -> None:
    retention.clean_up()


@shared_task
def fold(clean_up_id: int) -> None:
    retention.fold(clean_up_id)


@shared_task
def start_audit() -> None:
    audits.start()


@shared_task
def audit(audit_id: int) -> None:
    audits.work_off(audit_id)


@shared_task(expires=50)
def look_after() -> None:
    """Every minute: suspensions that end, seats left behind, samples for the dashboard."""
    people.lift_what_has_ended()
    people.finish_erasures()
    people.close_orphans()
    leaving.mend()
    figures.take_samples()
