from django.apps import AppConfig


class CoachingConfig(AppConfig):
    name = "games.coaching"
    label = "coaching"
    verbose_name = "Coach"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.coaching.work.ANALYSES",
        "games.coaching.hints.FORGOTTEN",
    )
