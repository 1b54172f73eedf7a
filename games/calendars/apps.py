from django.apps import AppConfig


class CalendarsConfig(AppConfig):
    name = "games.calendars"
    label = "calendars"
    verbose_name = "Calendars"
    default_auto_field = "django.db.models.BigAutoField"
