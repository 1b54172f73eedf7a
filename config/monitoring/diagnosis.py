"""Faults of the installation in words, and what to do: for those without Prometheus.

The signs are those of `docker/prometheus/alerts.yml` that a moment shows, by the names of the
sections of the runbook; rates and quantiles need somebody who looks all the time.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from config.models import Trouble
from config.monitoring import health
from config.monitoring.installation import figures

RUNBOOK: Final = "/docs/docker/RUNBOOK/"
NAMED: Final = 5  # rows at which duties fail
FAILURES: Final = 2  # of a row, before anybody looks


class Finding(NamedTuple):
    """``alert`` is the section of the runbook; somebody waits for what is urgent."""

    alert: str
    is_urgent: bool
    sentence: str
    advice: str

    @property
    def link(self) -> str:
        return f"{RUNBOOK}#{self.alert.lower()}"


class Sign(NamedTuple):
    """A figure that is more than ``most``, or below ``least``; ``{value}`` and ``{label}`` are its
    own.
    """

    alert: str
    metric: str
    sentence: str
    advice: str
    most: float = 0.0
    least: float | None = None
    is_urgent: bool = False

    def shows(self, value: float) -> bool:
        return value > self.most if self.least is None else value < self.least


_PARTS: Final = {
    "worker": ("NoWorker", "Without it no computer moves. Start it; its log says why it ended."),
    "duties": ("DutiesAreLate", "Start the beat and a worker for duties, or look at Postgres."),
    "bots": ("BotsAreLate", "Open the matches with a turn that is overdue; look at the workers."),
    "disk": ("DiskIsFull", "Make room on the disk of the database. Nothing is lost meanwhile."),
    "schema": ("PartIsAway", "Start the newest release again, or run its job init."),
    "broker": ("PartIsAway", "Start Valkey. Moves go on; computers and pages are slower."),
    "database": ("PartIsAway", "Start Postgres. Everything finds it again by itself."),
}
SIGNS: Final = (
    Sign(
        "BotsAreLate",
        "cardroom_bot_turn_overdue_seconds",
        "A computer's move has been due for {value:,.0f} s.",
        "Open the matches with a turn that is overdue; look at the workers.",
        most=20,
        is_urgent=True,
    ),
    Sign(
        "NoWorker",
        "cardroom_workers",
        "No {label} worker has a heartbeat.",
        "Start it. Its log says whether it died or has lost Valkey.",
        least=1,
        is_urgent=True,
    ),
    Sign(
        "QueueGrows",
        "cardroom_queue_tasks",
        "Tasks that wait in the queue {label}: {value:,.0f}.",
        "Start more workers for it, and look for a task that takes long.",
        most=100,
    ),
    Sign(
        "DiskIsFull",
        "cardroom_state_disk_used_ratio",
        "The disk of the database is {value:.0%} full.",
        "Make room: older backups, logs, or a larger disk.",
        most=0.9,
        is_urgent=True,
    ),
    Sign(
        "NobodyIsTold",
        "cardroom_delivery_overdue_seconds",
        "Mail, messages and webhooks have been due for {value:,.0f} s.",
        "Look at Deliveries for what refuses, and for a worker named outward.",
        most=300,
    ),
    Sign(
        "ReportsWait",
        "cardroom_open_reports",
        "Reports of players that wait: {value:,.0f}.",
        "Open Reports; who wrote one reads your answer.",
    ),
    Sign(
        "MatchesAreAtFault",
        "cardroom_replay_audit_faulty",
        "Matches that do not follow from their moves: {value:,.0f}.",
        "Compare them with the last backup before you touch a row.",
        is_urgent=True,
    ),
    Sign(
        "NobodyAudits",
        "cardroom_replay_audit_age_seconds",
        "The nightly audit has not ended for {value:,.0f} s.",
        "Look for a worker for long duties; Jobs says what it did last.",
        most=2 * 86_400,
    ),
    Sign(
        "BackupIsOld",
        "cardroom_backup_age_seconds",
        "The newest backup is {value:,.0f} s old.",
        "Press Back up on the page of jobs; what it says there is the cause.",
        most=1.5 * 86_400,
    ),
    Sign(
        "BackupFails",
        "cardroom_backup_faulty",
        "The last backup, its trial or its way elsewhere failed.",
        "Backups says what failed. Mend it, then press Back up on the page of jobs.",
        is_urgent=True,
    ),
)


def findings() -> list[Finding]:
    """All that is wrong now, the urgent first; nothing where all is well."""
    by_words = {(one.alert, one.sentence): one for one in (*_parts(), *_signs(), *_rows())}
    return sorted(by_words.values(), key=lambda one: (not one.is_urgent, one.alert))


def _parts() -> Iterator[Finding]:
    for part, state in health.check().items():
        if state != "up":
            alert, advice = _PARTS.get(part, ("PartIsAway", "Its log says why."))
            yield Finding(alert, True, f"{part}: {state}.", advice)


def _signs() -> Iterator[Finding]:
    for figure in figures():
        for sign in SIGNS:
            if sign.metric == figure.name and figure.value is not None and sign.shows(figure.value):
                label = figure.label[1] if figure.label else ""
                sentence = sign.sentence.format(value=figure.value, label=label)
                yield Finding(sign.alert, sign.is_urgent, sentence, sign.advice)


def _rows() -> Iterator[Finding]:
    for one in Trouble.objects.filter(failures__gt=FAILURES)[:NAMED]:
        sentence = f"The duty {one.duty} fails at {one.row or 'all of it'}: {one.error}."
        yield Finding("RowsFail", False, sentence, "Jobs has the buttons; the log has the cause.")
