from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    name = "games.programs"
    label = "programs"
    verbose_name = "Bot accounts"
    default_auto_field = "django.db.models.BigAutoField"

    # Offered to other rooms (config.offers).
    refuses_seat = "games.programs.playing.refuses_seat"
