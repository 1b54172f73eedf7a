from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "games.exports"
    label = "exports"
    verbose_name = "Exports"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.exports.writing.EXPORTS",
        "games.exports.writing.LOOKED_AFTER",
    )
