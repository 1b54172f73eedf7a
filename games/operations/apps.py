from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "games.operations"
    label = "operations"
    verbose_name = "Operations"
    default_auto_field = "django.db.models.BigAutoField"

    appeal = "games.operations.watching.reports.appeal"
    appeal_of = "games.operations.watching.reports.appeal_of"
    duties = (
        "games.operations.nights.missed.CLEAN_UP",
        "games.operations.nights.missed.AUDIT",
        "games.operations.nights.retention.FOLDED",
        "games.operations.nights.audits.AUDITS",
        "games.operations.refereeing.bulk.BULK_RUNS",
        "games.operations.people.leaving.LEFT_BEHIND",
        "games.operations.people.people.SUSPENSIONS",
        "games.operations.people.people.ERASURES",
        "games.operations.people.people.ORPHANS",
        "games.operations.watching.figures.SAMPLES",
    )

    def ready(self) -> None:
        """Failed tasks are counted for the dashboard; Prometheus reads its figures too."""
        from celery.signals import task_failure

        from config.monitoring.installation import sources
        from games.operations.watching.figures import count_failure, for_prometheus

        task_failure.connect(count_failure)
        sources.append(for_prometheus)
