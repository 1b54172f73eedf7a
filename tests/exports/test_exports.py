"""Files of records: written by workers in parts, fetched by their owners, expired, published."""

import gzip
import hashlib
import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from cardroom.rules import record
from config.models import Trouble
from config.tasks import duties
from games.exports import exporting
from games.exports.models import RecordFile, RecordFilePart
from games.matches.models import Match
from tests.api.calls import API, get, post, refused
from tests.matches.scenes import called_off, opened, played, resigned, short

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(ada):
    """Ada's matches that are over, private and public, and one that runs."""
    opened(ada, visibility="public")
    return [resigned(opened(ada, visibility=kind), 0).id for kind in ("private", "public")]


@pytest.fixture
def mine(keyed, ada):
    return keyed(ada)


def written(file_id):
    while not RecordFile.objects.get(id=file_id).is_finished:
        exporting.write_export(file_id)


def content(answer):
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content)


def matches_in(lines: bytes):
    assert all(record.verify(line) is None for line in lines.splitlines())
    return [json.loads(line)["match"] for line in lines.splitlines()]


class TestExports:
    def test_asked_for_written_and_fetched(self, mine, over):
        answer = post(mine, "exports")
        assert answer.status_code == 202
        asked, here = answer.json(), answer["Location"].removeprefix(API)
        assert asked["status"] == "writing"
        assert asked["links"] == {"self": answer["Location"]}
        refused(get(mine, here + "/file"), "export_not_finished")
        written(asked["id"])
        told = get(mine, here).json()
        file = get(mine, here + "/file")
        lines = content(file)
        assert matches_in(lines) == [str(match) for match in over]
        assert (told["status"], told["records"], told["size"]) == ("finished", 2, len(lines))
        assert told["sha256"] == hashlib.sha256(lines).hexdigest()
        assert file["Content-Length"] == str(len(lines))
        assert get(mine, "exports").json()["results"] == [told]
        packed = get(mine, here + "/file", Accept_Encoding="gzip")
        assert gzip.decompress(content(packed)) == lines
        assert get(mine, here + "/file", If_None_Match=file["ETag"]).status_code == 304

    def test_some_of_them(self, mine, over, ada):
        resigned(opened(ada, game="pazaak"), 0)
        found = [
            post(mine, "exports", asked).json()["id"]
            for asked in ({"game": "pazaak"}, {"since": "2999-01-01T00:00:00Z"})
        ]
        for file in found:
            written(file)
        assert [get(mine, f"exports/{file}").json()["records"] for file in found] == [1, 0]
        assert content(get(mine, f"exports/{found[1]}/file")) == b""
        refused(post(mine, "exports", {"game": "chess"}), "unknown_game")
        refused(post(mine, "exports", {"mine": False}), "malformed")

    def test_it_is_nobody_elses(self, mine, keyed, ben, api, over):
        file = post(mine, "exports").json()["id"]
        written(file)
        for path in (f"exports/{file}", f"exports/{file}/file"):
            refused(get(keyed(ben), path), "not_found")
            refused(get(api, path), "not_authenticated")
        refused(keyed(ben).delete(f"{API}exports/{file}"), "not_found")
        assert get(keyed(ben), "exports").json()["results"] == []

    def test_a_limit_and_an_end(self, mine, ada, settings, time_machine):
        settings.LIMITS = {**settings.LIMITS, "exports": 2}
        files = [post(mine, "exports").json()["id"] for _ in range(2)]
        assert refused(post(mine, "exports"), "too_many_exports")["limit"] == 2
        assert mine.delete(f"{API}exports/{files[0]}").status_code == 204
        assert post(mine, "exports").status_code == 202
        written(files[1])
        time_machine.move_to(timezone.now() + timedelta(hours=settings.LIMITS["export_hours"] + 1))
        assert str(files[1]) not in {one["id"] for one in get(mine, "exports").json()["results"]}
        exporting.look_after()
        assert not RecordFile.objects.filter(id=files[1]).exists()
        assert not RecordFilePart.objects.filter(file=files[1]).exists()

    def test_two_workers_write_it_once(self, ada, over, monkeypatch):
        monkeypatch.setattr(exporting, "BYTES_A_PART", 1)
        file = exporting.start_export(owner=ada)
        append = exporting._append

        def slow(file, last, lines):
            append(file, last, lines)  # the other worker was quicker
            assert not append(file, last, lines)
            return True

        monkeypatch.setattr(exporting, "_append", slow)
        written(file.id)
        assert RecordFilePart.objects.filter(file=file).count() == 2
        found = b"".join(exporting.plain_parts(file))
        assert matches_in(found) == [str(match) for match in over]

    def test_a_file_that_is_due_and_a_deleted_one(self, ada, over):
        file = exporting.start_export(owner=ada)
        assert "exports" in duties.due_since()
        exporting.delete_export(owner=ada, export_id=file.id)
        exporting.write_export(file.id)
        assert not RecordFilePart.objects.exists()
        assert "exports" not in duties.due_since()

    def test_a_record_that_cannot_be_written_is_left_out_after_three_tries(
        self, ada, over, monkeypatch
    ):
        lines = exporting.record_lines

        def broken(matches, **more):
            if over[0] in matches:
                raise ValueError("7H")
            return lines(matches, **more)

        monkeypatch.setattr(exporting, "record_lines", broken)
        file = exporting.start_export(owner=ada)
        for _ in range(4):
            duties.work("exports")
            Trouble.objects.filter(is_set_aside=False).update(next_at=timezone.now())
        file.refresh_from_db()
        assert (file.is_finished, file.records) == (True, 1)
        assert Trouble.objects.get().row == f"match {over[0]}"


NIGHT = datetime(2026, 11, 22, 3, 30, tzinfo=UTC)


def publish(night: datetime) -> bytes:
    at = night - timedelta(hours=1)
    Match.objects.update(started_at=at, finished_at=at)
    exporting.look_after()
    file = RecordFile.objects.get(day=night.date())
    written(file.id)
    return b"".join(exporting.plain_parts(file))


@pytest.fixture
def night(time_machine):
    """Goes to a night; the first one by default."""

    def go(number: int = 0) -> datetime:
        at = NIGHT + timedelta(days=number)
        time_machine.move_to(at)
        return at

    return go


class TestArchive:
    def test_what_is_published(self, api, ada, ben, night):
        public = played(short(ada, "pazaak", visibility="public"))
        for kind in ("unlisted", "private"):
            played(short(ben, "pazaak", visibility=kind))
        called_off(opened(ada, visibility="public"))
        opened(ada, visibility="public")
        at = NIGHT - timedelta(hours=1)
        Match.objects.exclude(status="active").update(started_at=at, finished_at=at)
        night()
        exporting.look_after()
        assert get(api, "archives").json() == []  # it is not whole
        refused(get(api, "archives/2026-11-22.jsonl"), "not_found")
        file = RecordFile.objects.get()
        written(file.id)
        (told,) = get(api, "archives").json()
        lines = content(get(api, told["links"]["file"].removeprefix(API)))
        assert matches_in(lines) == [str(public.id)]
        assert (told["day"], told["records"]) == ("2026-11-22", 1)
        assert told["sha256"] == hashlib.sha256(lines).hexdigest()
        checksum = get(api, told["links"]["checksum"].removeprefix(API)).content.decode()
        assert checksum == f"{told['sha256']}  cardroom-2026-11-22.jsonl\n"
        refused(get(api, "archives/yesterday.jsonl"), "not_found")

    def test_who_opted_out_is_not_in_the_next_one(self, ada, ben, night, mine):
        for who in (ada, ben):
            resigned(opened(who, visibility="public"), 0)
        first = publish(night())
        assert len(matches_in(first)) == 2
        assert mine.patch(f"{API}accounts/me", {"in_archive": False}).json()["in_archive"] is False
        kept = Match.objects.get(creator=ben)
        assert matches_in(publish(night(1))) == [str(kept.id)]

    def test_the_last_ones_are_kept(self, night, settings):
        for number in range(exporting.ARCHIVES_KEPT + 2):
            publish(night(number))
        days = list(exporting.archives().values_list("day", flat=True))
        assert days == [date(2026, 11, 22 + number) for number in (4, 3, 2)]
        exporting.look_after()
        assert RecordFile.objects.count() == exporting.ARCHIVES_KEPT

    def test_not_before_its_hour_and_not_where_it_is_off(self, time_machine, settings):
        time_machine.move_to(NIGHT.replace(hour=2))
        exporting.look_after()
        time_machine.move_to(NIGHT)
        settings.PUBLIC_ARCHIVE = False
        exporting.look_after()
        assert not RecordFile.objects.exists()

    def test_the_account_page_has_the_choice(self, ada, client: Client):
        client.force_login(ada)
        page = client.get(reverse("account")).content.decode()
        assert 'name="in_archive"' in page
        profile = {"display_name": "Ada", "language": "en"}
        client.post(reverse("account_profile"), profile)
        assert User.objects.get(pk=ada.pk).in_archive is False
        client.post(reverse("account_profile"), profile | {"in_archive": "on"})
        assert User.objects.get(pk=ada.pk).in_archive is True
