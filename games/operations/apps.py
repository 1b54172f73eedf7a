from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "games.operations"
    label = "operations"
    verbose_name = "Operations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Failed tasks are counted for the dashboard."""
        from celery.signals import task_failure

        from games.operations.figures import count_failure

        task_failure.connect(count_failure)
