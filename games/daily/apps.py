from django.apps import AppConfig


class DailyConfig(AppConfig):
    name = "games.daily"
    label = "daily"
    verbose_name = "Deals of the day"
    default_auto_field = "django.db.models.BigAutoField"
