from django.apps import AppConfig


class PhrasesConfig(AppConfig):
    name = "games.phrases"
    label = "phrases"
    verbose_name = "Phrases at the table"
    default_auto_field = "django.db.models.BigAutoField"

    duties = ("games.phrases.speaking.FORGOTTEN",)
