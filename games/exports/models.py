"""Files of records, kept in the database: any worker writes them, any web process sends them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.uuid7 import uuid7


class RecordFile(models.Model):
    """Records of many matches, a line each: an account's export, or the public archive of a day.

    ``after`` is the last match that was looked at; workers go on from there. ``size`` and
    ``sha256`` are those of the file as it is read, not as it is packed.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    day = models.DateField(null=True, help_text="Of a public archive")
    game = models.CharField(max_length=32, blank=True)
    since = models.DateTimeField(null=True)
    after = models.UUIDField(null=True)
    records = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    worked_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True, help_text="When it is deleted")

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.CheckConstraint(
                name="record_file_has_an_owner_or_a_day",
                condition=Q(owner__isnull=True, day__isnull=False)
                | Q(owner__isnull=False, day__isnull=True),
            ),
            models.UniqueConstraint(name="day_has_one_archive", fields=["day"]),
        ]

    def __str__(self) -> str:
        return f"archive of {self.day}" if self.day else f"export {self.id}"

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None


class RecordFilePart(models.Model):
    """Some lines of a file, packed with gzip; the parts one after another are the packed file."""

    file = models.ForeignKey(
        RecordFile, on_delete=models.CASCADE, related_name="parts", db_index=False
    )  # record_file_part_is_there_once begins with it
    number = models.PositiveIntegerField(help_text="Records in the parts before")
    packed = models.BinaryField()

    class Meta:
        default_permissions: ClassVar = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="record_file_part_is_there_once", fields=["file", "number"]
            ),
        ]

    def __str__(self) -> str:
        return f"records from {self.number} on"
