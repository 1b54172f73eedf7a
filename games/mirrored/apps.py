from django.apps import AppConfig


class MirroredConfig(AppConfig):
    name = "games.mirrored"
    label = "mirrored"
    verbose_name = "Mirrored matches"
    default_auto_field = "django.db.models.BigAutoField"

    duties = ("games.mirrored.going_on.MIRRORED",)

    # Offered to other rooms (config.offers).
    refuses_seat = "games.mirrored.terms.refuses_seat"
