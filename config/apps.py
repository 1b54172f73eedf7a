from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    duties = ("config.tasks.duties.FORGOTTEN",)

    def ready(self) -> None:
        """Tasks sent by any process go through our Celery application."""
        from config import celery  # noqa: F401
        from config.monitoring import installation  # noqa: F401  # joins the metrics
