"""The Celery tasks: each calls one service."""

from uuid import UUID

from celery import shared_task

from games.exports import writing


@shared_task
def write(file_id: str) -> None:
    writing.write(UUID(file_id))


@shared_task(expires=50)
def look_after() -> None:
    writing.look_after()
