from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    name = "accounts.programs"
    verbose_name = "Accounts: programs"
    default_auto_field = "django.db.models.BigAutoField"
