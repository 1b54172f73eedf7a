from django.apps import AppConfig


class SocialConfig(AppConfig):
    name = "accounts.social"
    verbose_name = "Accounts: blocks"
    default_auto_field = "django.db.models.BigAutoField"
