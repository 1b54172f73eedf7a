"""For other apps: ``accounts.notifications.outbox.owe``, called in the transaction of the cause."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "accounts.notifications"
    label = "notifications"
    verbose_name = "Notifications"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "accounts.notifications.delivering.DELIVERIES",
        "accounts.notifications.forgetting.FORGOTTEN",
    )

    def ready(self) -> None:
        from accounts.notifications.figures import figures
        from config.monitoring import installation

        installation.sources.append(figures)
