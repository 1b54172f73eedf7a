"""For other apps: ``accounts.hours.selectors.rests_of`` and ``accounts.hours.counting``."""

from django.apps import AppConfig


class HoursConfig(AppConfig):
    name = "accounts.hours"
    label = "hours"
    verbose_name = "Quiet hours and holidays"
    default_auto_field = "django.db.models.BigAutoField"
