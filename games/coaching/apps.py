from django.apps import AppConfig


class CoachingConfig(AppConfig):
    name = "games.coaching"
    label = "coaching"
    verbose_name = "Coach"
    default_auto_field = "django.db.models.BigAutoField"
