"""The work of every night: replay audits of what changed, and clean-ups."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from accounts.models import Key, User
from cardroom.rules import catalog, record
from cardroom.rules.game import AnyGame
from config.tasks import duties
from games.admin import club
from games.matches import loading, records
from games.matches.models import ArchivedMatch, Match, Ply
from games.matches.selectors.log import log_entries
from games.operations import figures, nights, refereeing, reports
from games.operations.models import CleanUp, ReplayAudit, Sample
from tests.admin.test_acts import staff
from tests.matches.scenes import called_off, move, now, opened, played, short

pytestmark = pytest.mark.django_db


def days_ago(days):
    return timezone.now() - timedelta(days=days)


class TestAudits:
    def test_of_what_changed_since_the_last_one(self, ada):
        first, second = short(ada, "pazaak"), opened(ada)
        begun = nights.start()
        nights.work_off(begun.pk)
        Match.objects.filter(id=first.id).update(updated_at=days_ago(1))
        move(second)
        again = nights.start()
        nights.work_off(again.pk)
        found = [(one.total, one.checked, one.faulty) for one in ReplayAudit.objects.all()]
        assert found == [(1, 1, 0), (2, 2, 0)]

    def test_what_does_not_follow_is_named_without_a_card_and_on_the_dashboard(self, ada):
        match = played(opened(ada), 5)
        Ply.objects.filter(match_id=match.id, version=3).update(move="nonsense")
        nights.work_off(nights.start().pk)
        audit = ReplayAudit.objects.get()
        assert (audit.faulty, audit.faults) == (
            1,
            [[str(match.id), "Ply 3 is refused by the rules"]],
        )
        figure = club._audit(figures._measure()["audit"])
        assert (figure.value, figure.tone) == ("1", "bad")

    def test_a_match_at_fault_is_told_once_and_named_until_it_follows_again(self, ada, capsys):
        match = played(opened(ada), 5)
        right = Ply.objects.get(match_id=match.id, version=3).move
        plies = Ply.objects.filter(match_id=match.id, version=3)
        plies.update(move="nonsense")
        nights.work_off(nights.start().pk)
        Match.objects.filter(id=match.id).update(updated_at=days_ago(9))
        for _ in range(2):
            nights.work_off(nights.start().pk)
            audit = ReplayAudit.objects.first()
            day = f"{timezone.now():%Y-%m-%d}"
            assert (audit.total, audit.faulty) == (1, 0)
            assert audit.faults == [[str(match.id), "Ply 3 is refused by the rules", day]]
        figure = club._audit(figures._measure()["audit"])
        assert (figure.tone, "1 known to be at fault" in figure.note) == ("warn", True)
        with pytest.raises(CommandError, match="1 of 1"):
            call_command("verify_matches", "--since", "1h")
        plies.update(move=right)
        nights.work_off(nights.start().pk)
        assert ReplayAudit.objects.first().faults == []
        nights.work_off(nights.start().pk)
        assert ReplayAudit.objects.first().total == 0

    def test_a_match_that_moves_meanwhile_is_read_again(self, ada, monkeypatch):
        match = played(opened(ada), 5)
        faults, moves = nights.verification.faults, [None]

        def moving(read):
            for _ in range(len(moves)):
                moves.pop()
                move(now(match))
            return faults(read)

        monkeypatch.setattr(nights.verification, "faults", moving)
        assert nights.faults_of(match.id) == []

    def test_one_is_due_until_it_is_over(self, ada):
        nights.start()
        assert "audits" in duties.due_since()
        duties.work("audits")
        assert "audits" not in duties.due_since()

    def test_a_match_that_cannot_be_read_is_a_fault_and_the_others_are_checked(
        self, ada, monkeypatch
    ):
        bad, *_ = [played(opened(ada), 3) for _ in range(3)]
        faults = nights.verification.faults

        def unreadable(match):
            if match.id == bad.id:
                raise ValueError("7H is hidden")
            return faults(match)

        monkeypatch.setattr(nights.verification, "faults", unreadable)
        nights.start()
        duties.work("audits")
        audit = ReplayAudit.objects.get()
        assert (audit.checked, audit.faulty) == (3, 1)
        assert audit.faults == [[str(bad.id), "It cannot be read."]]

    def test_the_command_keeps_its_result(self, ada, capsys):
        match = played(opened(ada), 5)
        call_command("verify_matches", "--since", "1h")
        assert "1 matches checked, 0 with faults" in capsys.readouterr().out
        Ply.objects.filter(match_id=match.id, version=3).delete()
        with pytest.raises(CommandError):
            call_command("verify_matches", "--since", "1h")
        call_command("verify_matches", "--since", "2026-01-01T00:00Z", "--game", "pazaak")
        assert [one.faulty for one in ReplayAudit.objects.all()] == [1, 0]


def changed(game: AnyGame) -> AnyGame:
    """The game by rules of which only the number is new."""
    number = game.rules_version
    return replace(game, rules_version=number + 1, earlier={**game.earlier, number: {}})


def test_a_match_plays_across_a_change_of_rules_version(ada, monkeypatch):
    match = played(opened(ada, preset="single"), 9)
    monkeypatch.setattr(catalog, "GAMES", tuple(map(changed, catalog.GAMES)))
    after = played(now(match))
    assert (after.status, after.rules_version) == ("finished", match.rules_version)
    assert after.rules.rules_version == match.rules_version < catalog.find("pisti").rules_version
    assert nights.faults_of(match.id) == []
    assert record.verify(records.of(now(match))) is None


class TestCleanUp:
    def test_what_nobody_needs_goes(self, ada):
        Session.objects.create(session_key="old", session_data="", expire_date=days_ago(3))
        Key.objects.create(user=ada, digest="a", expires_at=days_ago(40))
        Key.objects.create(user=ada, digest="b", expires_at=days_ago(1))
        guest, player = (services.open_guest() for _ in range(2))
        opened(player)
        User.objects.filter(is_guest=True).update(date_joined=days_ago(31))
        Key.objects.filter(user__is_guest=True).update(last_used_at=days_ago(31))
        waiting, young = (opened(ada, "me, open") for _ in range(2))
        Match.objects.filter(id=waiting.id).update(updated_at=days_ago(15))
        nights.clean_up()
        assert not User.objects.filter(pk=guest.pk).exists()
        assert User.objects.filter(pk=player.pk).exists()
        assert Key.objects.filter(user=ada).count() == 1
        assert (now(waiting).status, now(young).status) == ("aborted", "open")
        counts = CleanUp.objects.get().counts
        assert (counts["sessions"], counts["keys"], counts["guests"]) == (1, 1, 1)
        assert counts["waiting matches called off"] == 1
        Match.objects.filter(id=waiting.id).update(finished_at=days_ago(15))
        nights.clean_up()
        assert not Match.objects.filter(id=waiting.id).exists()

    def test_loads_that_nobody_played_go_and_nothing_else(self, ada):
        parent = played(opened(ada), 20)

        def loaded(match, plies=0):
            new = loading.load(match_id=match.id, user=ada, cards="same", version=9)
            return played(new, 9 + plies)

        unplayed, played_on, loaded_again, reported, young = (
            loaded(parent, plies) for plies in (0, 3, 0, 0, 0)
        )
        last, kept = loaded(loaded_again), [parent, played_on, loaded_again, reported, young]
        for match in (unplayed, last, *kept):
            called_off(match)
        reports.report(match_id=reported.id, user=ada, seat=1, reason="other", text="A word.")
        Match.objects.exclude(id=young.id).update(finished_at=days_ago(2))
        before = {match.id: list(log_entries(now(match))) for match in kept}
        done = nights.clean_up()
        assert done.counts["loads never played"] == 2
        assert not Match.objects.filter(id__in=[unplayed.id, last.id]).exists()
        assert {match.id: list(log_entries(now(match))) for match in kept} == before
        assert nights.clean_up().counts["loads never played"] == 1  # whose load has gone
        assert nights.faults_of(played_on.id) == []

    def test_old_matches_are_folded_and_counted(self, ada, settings):
        match = played(short(ada, "pazaak"))
        Match.objects.filter(id=match.id).update(finished_at=days_ago(91))
        settings.RETENTION = settings.RETENTION | {"archive": 0}
        nights.clean_up()
        assert not ArchivedMatch.objects.exists()
        settings.RETENTION = settings.RETENTION | {"archive": 90}
        assert "1 matches folded" in str(CleanUp.objects.get(pk=nights.clean_up().pk))
        assert nights.faults_of(match.id) == []


UTC_DAY = datetime(2026, 11, 23, tzinfo=UTC)
NIGHTLY = ["clean-up", "audit of the night"]


class TestMissedNights:
    @pytest.fixture(autouse=True)
    def installed(self):
        """Installed at noon two days ago, and no night was spent yet."""
        MigrationRecorder(connection).migration_qs.update(applied=UTC_DAY - timedelta(hours=36))

    @staticmethod
    def done(at):
        CleanUp.objects.create(at=at)
        ReplayAudit.objects.create(until=at)

    @staticmethod
    def due(now):
        return [name for name in duties.due_since(now) if name in NIGHTLY]

    @pytest.mark.parametrize(
        ("hour", "minute", "due"), [(2, 6, 0), (2, 7, 1), (2, 37, 2), (23, 59, 2)]
    )
    def test_each_kind_is_due_from_its_hour_on(self, hour, minute, due):
        self.done(UTC_DAY - timedelta(hours=20))
        now = UTC_DAY + timedelta(hours=hour, minutes=minute)
        assert self.due(now) == NIGHTLY[:due]
        if due:
            assert duties.due_since(now)["clean-up"] == UTC_DAY + timedelta(hours=2, minutes=7)

    def test_what_was_done_tonight_is_not_due(self):
        self.done(UTC_DAY + timedelta(hours=3, minutes=20))
        assert self.due(UTC_DAY + timedelta(hours=26)) == []

    def test_a_stop_at_night_is_made_up_in_the_morning_once(self):
        self.done(UTC_DAY - timedelta(hours=20))
        morning = UTC_DAY + timedelta(hours=9)
        assert self.due(morning) == NIGHTLY
        self.done(morning)
        assert self.due(morning) == []

    def test_a_night_before_the_installation_was_not_missed(self):
        assert self.due(UTC_DAY - timedelta(hours=30)) == []
        assert self.due(UTC_DAY - timedelta(hours=12)) == NIGHTLY

    def test_nobody_waits_for_them(self):
        assert {duties.registry()[name].kind for name in NIGHTLY} == {"long"}


def test_an_installation_that_was_never_audited_grows_old(ada):
    """Without a figure no alert could tell that nobody audits."""
    MigrationRecorder(connection).migration_qs.update(applied=days_ago(3))
    cache.clear()
    (age,) = [
        f.value for f in figures.for_prometheus() if f.name == "cardroom_replay_audit_age_seconds"
    ]
    assert 3 * 86400 - 60 < age < 3 * 86400 + 60
    ReplayAudit.objects.create(until=timezone.now(), finished_at=timezone.now())
    cache.clear()
    (age,) = [
        f.value for f in figures.for_prometheus() if f.name == "cardroom_replay_audit_age_seconds"
    ]
    assert age < 60


# The dashboard's figures and their samples.


def test_what_is_wrong_is_counted(ada):
    match = played(opened(ada, "me, bot greedy"), 6)
    long_ago = timezone.now() - timedelta(days=3)
    Match.objects.filter(id=match.id).update(updated_at=long_ago, bot_due_at=long_ago)
    found = figures._measure()
    assert (found["active"], found["stalled"], found["owes_bot"], found["today"]) == (1, 1, 1, 1)
    assert found["unpaid"] > 3 * 24 * 3600 - 60
    assert found["moves"] > 5


def test_samples_are_kept_for_a_month_and_plotted(ada):
    now = timezone.now()
    Sample.objects.create(name="moves", at=now - timedelta(days=31), value=1)
    Sample.objects.create(name="moves", at=now - timedelta(hours=1), value=30)
    figures.take_samples()
    assert not Sample.objects.filter(at__lt=now - timedelta(days=30)).exists()
    points = figures.series(["moves"], timedelta(days=1), 144)["moves"]
    assert [value for _, value in points] == [30, 0]
    assert 0.94 < points[0][0] < 0.97


def test_the_dashboard(ada):
    cache.clear()
    match = played(opened(ada), 3)
    refereeing.verify(match_id=match.id, by=Actor.of(ada, "A look."))
    figures.now_figures()  # kept in the cache
    shown = staff("viewer").get("/admin/?span=30+days").content.decode()
    for text in (
        "Past their deadline",
        "Waiting longest",
        "Moves a minute",
        "Audit log",
        "its disk",
    ):
        assert text in shown
