from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class AccountsConfig(AppConfig):
    name = "accounts"
    default = True
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Failed sign-ins are counted."""
        from accounts import lockout, second_factor  # noqa: F401


class StaffAdminConfig(admin_apps.AdminConfig):
    """The admin with the sign-in of the site."""

    default = False
    default_site = "accounts.admin_site.StaffSite"
