"""Matches move to another installation: verified, stored, and told there as they were here."""

import gzip
import json
from random import Random
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from accounts.audit.log import Actor
from accounts.models import User
from cardroom.rules import catalog, record
from games.matches import importing, joining, loading, records
from games.matches.importing import CannotImport, Terms, store
from games.matches.models import Match, Ply, Round, Seat
from games.operations import refereeing
from tests.matches.scenes import (
    called_off,
    now,
    opened,
    played,
    played_to_round,
    resigned,
    short,
)

every_game = pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])


def forget_all() -> None:
    """The installation is empty, as another one is."""
    Match.objects.update(parent=None, parent_version=None, loaded=None)
    Match.objects.all().delete()
    User.objects.all().delete()


@pytest.fixture
def moved(db, tmp_path, capsys):
    """Moves all matches that are over to an empty installation; what the import said."""

    def move_all(*options: str) -> str:
        file = tmp_path / "records.jsonl"
        call_command("export_records", str(file), "--private")
        forget_all()
        capsys.readouterr()
        call_command("import_records", str(file), *options)
        again = tmp_path / "again.jsonl"
        call_command("export_records", str(again), "--private")
        assert again.read_bytes() == file.read_bytes()
        call_command("verify_matches")
        return capsys.readouterr().out

    return move_all


def rolled_back(match, number, who):
    refereeing.roll_back(match_id=match.id, by=Actor.of(who, "The table froze."), round=number)
    return now(match)


def over(match):
    return match if match.is_over else now(called_off(match))


@pytest.fixture
def fixed_shuffles(monkeypatch):
    """Each match of the scene has the same cards each time."""
    made = SimpleNamespace(token_bytes=Random(1).randbytes)
    monkeypatch.setattr("games.matches.models.secrets", made)


@every_game
def test_there_and_back(game, ada, moved, fixed_shuffles):
    rng = Random(7)
    resigned(played(opened(ada, "me, bot random", game), 4, rng), 0)
    old = played(opened(ada, "me, local Twin", game), 9, rng)
    same = loading.load(match_id=old.id, user=ada, cards="same", version=7)
    same = played(same, same.version + 4, rng)
    other = loading.load(match_id=same.id, user=ada, cards="reshuffled", version=9)
    back = rolled_back(played(opened(ada, "me, local Twin", game), 4, rng), 1, ada)
    back = rolled_back(played(back, back.version + 3, rng), 1, ada)
    played(short(ada, game), rng=rng)
    for match in (other, played(back, back.version + 5, rng), same, old):
        over(match)
    assert "6 matches stored, 0 were here already, 0 refused." in moved()


def test_what_nobody_played(ada, ben, moved):
    joining.leave(match_id=opened(ada, "me, open").id, user=ada)
    match = opened(ada, "me, user Ben", visibility="private")
    joining.join(match_id=match.id, user=ben)
    resigned(played_to_round(now(match), 2), 1)
    declined = loading.load(match_id=match.id, user=ada, cards="reshuffled", round=2)
    joining.leave(match_id=declined.id, user=ben)
    joining.leave(match_id=declined.id, user=ada)
    assert "3 matches stored" in moved()
    assert set(Match.objects.values_list("visibility", "rated")) == {("private", False)}
    assert not User.objects.filter(is_active=True).exists()


@pytest.fixture
def line(ada):
    """A match of Ada's that is over, as a line, and no longer here."""
    match = resigned(played(opened(ada, "me, local Twin"), 9), 0)
    written = record.write(records.of(match))
    Match.objects.all().delete()
    return written


def test_twice_is_once(line):
    assert store(line, Terms())
    assert not store(line, Terms())


def test_people_of_here(line, ada):
    store(line, Terms(visibility="public", accounts={"Ada": ada}))
    assert list(Seat.objects.values_list("user", flat=True)) == [ada.id, ada.id]
    assert Match.objects.get().creator == ada


def test_times_are_those_of_the_record(line):
    store(line, Terms())
    told = record.read(line)
    match = Match.objects.get()
    assert (match.started_at, match.finished_at) == (told.started_at, told.finished_at)
    assert not Ply.objects.exclude(at=F("match__finished_at")).filter(version__gt=0).exists()
    assert not Round.objects.exclude(opened_at=F("match__started_at")).exists()


def changed(line: bytes, **fields) -> bytes:
    return json.dumps(json.loads(line) | fields).encode()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"match": "no-uuid"}, "not a UUID"),
        ({"finished_at": "2999-01-01T00:00:00Z"}, "not played between"),
        ({"started_at": "0001-01-01T00:00:00+14:00"}, "not played between"),
        ({"outcome": {"winners": [0], "points": [0, 0], "reason": "resigned"}}, "winners"),
        ({"options": {"players": 10**400}}, "."),
        ({"seats": [{"name": "A\u0000", "kind": "user"}, {"name": "", "kind": "user"}]}, "name"),
        ({"seats": [{"name": "A" * 41, "kind": "user"}, {"name": "B", "kind": "user"}]}, "name"),
    ],
)
def test_a_bad_record_leaves_nothing(line, fields, sentence):
    with pytest.raises((record.BadRecord, CannotImport), match=sentence):
        store(changed(line, **fields), Terms())
    assert not Match.objects.exists()


def test_two_seats_of_one_account_and_a_taken_id(line, ada, ben):
    two = [{"name": "Ada", "kind": "user"}, {"name": "Ben", "kind": "user"}]
    with pytest.raises(CannotImport, match="Two of its seats"):
        store(changed(line, seats=two), Terms(accounts={"Ada": ada, "Ben": ada}))
    store(line, Terms())
    Match.objects.update(commitment="0" * 64)
    with pytest.raises(CannotImport, match="Another match"):
        store(line, Terms())


def test_what_was_changed_on_the_way_is_not_kept(line, monkeypatch):
    monkeypatch.setattr(importing, "_end", lambda *_: None)
    with pytest.raises(CannotImport, match="finished_at"):
        store(line, Terms())
    assert not Match.objects.exists()


def test_nobody_takes_the_name_of_an_imported_person(db):
    from accounts import services
    from accounts.refusals import BadAccount

    with pytest.raises(BadAccount):
        services.register(username="Imported-0123456789abcdef", password="a long quiet evening")
    one, other = services.pseudonym("Ada"), services.pseudonym("Ada", 1)
    assert services.pseudonym("Ada") == one != other
    assert not one.has_usable_password()


class TestFiles:
    """Lines are judged one by one; the file may be anything."""

    def test_each_line_by_itself(self, line, tmp_path, capsys):
        deep = b'{"options":' + b"[" * 10**6
        bad = line.replace(b'"resigned"', b'"target"')
        file = tmp_path / "records.jsonl.gz"
        file.write_bytes(gzip.compress(b"\n".join([deep, b"{}", bad, line, b"", line])))
        with pytest.raises(CommandError, match="3 records were not stored"):
            call_command("import_records", str(file))
        said = capsys.readouterr()
        assert "1 matches stored, 1 were here already, 3 refused." in said.out
        assert [text.split(":")[0] for text in said.err.splitlines()] == [
            "line 1",
            "line 2",
            "line 3",
        ]

    def test_a_child_waits_for_its_parent(self, ada, tmp_path, capsys):
        old = played(opened(ada), 9)
        new = loading.load(match_id=old.id, user=ada, cards="same", version=4)
        over = [resigned(match, 0) for match in (now(old), new)]
        lines = [record.write(records.of(match)) for match in over]
        forget_all()
        file = tmp_path / "records.jsonl"
        file.write_bytes(lines[1])
        with pytest.raises(CommandError):
            call_command("import_records", str(file))
        assert f"The match {old.id} that it goes on from is not here." in capsys.readouterr().err
        file.write_bytes(b"\n".join(reversed(lines)))
        call_command("import_records", str(file), "--visibility", "public")
        assert Match.objects.get(id=new.id).parent_id == old.id

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (gzip.compress(b" " * 10**8), "line 1 is too long"),
            (gzip.compress(b"{}\n" * 9)[:-9], "cannot be unpacked"),
        ],
        ids=["bomb", "torn"],
    )
    def test_a_bomb_is_not_unpacked(self, db, tmp_path, content, said):
        file = tmp_path / "records.jsonl.gz"
        file.write_bytes(content)
        with pytest.raises(CommandError, match=said):
            call_command("import_records", str(file))

    def test_accounts_that_are_not_here(self, db, line, tmp_path):
        file, names = tmp_path / "records.jsonl", tmp_path / "names.json"
        file.write_bytes(line)
        for content in ('{"Ada": "nobody"}', "[1]"):
            names.write_text(content)
            with pytest.raises(CommandError):
                call_command("import_records", str(file), "--accounts", str(names))
