from django.apps import AppConfig


class IdleConfig(AppConfig):
    name = "games.idle"
    label = "idle"
    verbose_name = "Idle matches"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.idle.nudging.NUDGES",
        "games.idle.nudging.FORGOTTEN",
    )
