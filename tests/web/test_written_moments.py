"""Moments on a page: an instant for programs, a time and its zone for people."""

from datetime import UTC, datetime

from django.utils import timezone

from games.templatetags.text import moment

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


def test_the_zone_stands_beside_the_time():
    assert moment(NOON) == (
        '<time datetime="2026-07-01T12:00:00+00:00" data-local>July 1, 2026, noon (UTC)</time>'
    )


def test_it_is_the_readers_zone():
    with timezone.override("Europe/Istanbul"):
        written = moment(NOON)
    assert 'datetime="2026-07-01T15:00:00+03:00"' in written
    assert "3 p.m. (Europe/Istanbul)" in written
