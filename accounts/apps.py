from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "accounts"
    default = True
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connects what counts failed sign-ins, remembers languages and keeps the roles."""
        from accounts.roles import keep_roles
        from accounts.signing_in import lockout, second_factor  # noqa: F401
        from accounts.web import language  # noqa: F401

        post_migrate.connect(keep_roles)  # after the one of auth, which makes permissions


class StaffAdminConfig(admin_apps.AdminConfig):
    """The admin with the sign-in of the site."""

    default = False
    default_site = "accounts.admin_site.StaffSite"
