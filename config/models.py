"""Rows that duties could not do: which, why, and when they are tried again."""

from typing import ClassVar

from django.db import models


class Trouble(models.Model):
    """A row at which a duty fails, or (an empty ``row``) a duty that fails as a whole.

    It names no more than an id and the class of an exception: what an exception says may be secret.
    """

    duty = models.CharField(max_length=64)
    row = models.CharField(max_length=100, blank=True, default="")
    error = models.CharField(max_length=100)
    failures = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    next_at = models.DateTimeField(help_text="Not tried again before")
    is_set_aside = models.BooleanField(default=False, help_text="Not tried again by itself")

    class Meta:
        ordering: ClassVar = ["-is_set_aside", "-last_at"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="row_has_one_trouble_a_duty", fields=["duty", "row"]),
        ]

    def __str__(self) -> str:
        return f"{self.duty} {self.row}: {self.error}, {self.failures} times"
