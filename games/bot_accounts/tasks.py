"""Celery's door: one service call each."""

from celery import shared_task

from games.bot_accounts import playing


@shared_task(expires=25)
def replace_silent() -> None:
    playing.replace_silent()
