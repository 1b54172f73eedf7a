from functools import cache

import redis.utils
from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig as EveryStaticFile


class ConfigConfig(AppConfig):
    name = "config"
    duties = ("config.tasks.duties.FORGOTTEN",)

    def ready(self) -> None:
        """Tasks sent by any process go through our Celery application."""
        # Each connection would read the driver's version from a file.
        redis.utils.get_lib_version = cache(redis.utils.get_lib_version)
        from config import celery  # noqa: F401
        from config.monitoring import installation  # noqa: F401  # joins the metrics


class StaticFilesConfig(EveryStaticFile):
    """Without the files of pages that nobody is shown."""

    ignore_patterns = [*EveryStaticFile.ignore_patterns, "rest_framework"]  # noqa: RUF012
