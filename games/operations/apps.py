from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "games.operations"
    label = "operations"
    verbose_name = "Operations"
    default_auto_field = "django.db.models.BigAutoField"

    appeal = "games.operations.reports.appeal"
    appeal_of = "games.operations.reports.appeal_of"
    duties = (
        "games.operations.nights.CLEAN_UP",
        "games.operations.nights.AUDIT",
        "games.operations.nights.FOLDED",
        "games.operations.nights.AUDITS",
        "games.operations.acts.BULK_RUNS",
        "games.operations.people.LEFT_BEHIND",
        "games.operations.people.SUSPENSIONS",
        "games.operations.people.ERASURES",
        "games.operations.people.ORPHANS",
        "games.operations.figures.SAMPLES",
        "games.operations.jobs.BACKUP",
        "games.operations.jobs.RECOUNT",
    )

    def ready(self) -> None:
        """Failed tasks are counted for the dashboard; Prometheus reads its figures too."""
        from celery.signals import task_failure

        from config.monitoring.installation import sources
        from games.operations.figures import count_failure, for_prometheus

        task_failure.connect(count_failure)
        sources.append(for_prometheus)
