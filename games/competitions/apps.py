from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    name = "games.competitions"
    label = "competitions"
    verbose_name = "Tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    duties = ("games.competitions.running.advancing.TOURNAMENTS",)
