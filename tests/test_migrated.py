"""The migrated database is kept for the same code, and for no other."""

import pytest

from tests import migrated


@pytest.fixture
def name_of(tmp_path, monkeypatch):
    """The name of the database for code that has this file."""
    monkeypatch.setattr(migrated, "ROOT", tmp_path)
    (tmp_path / "requirements-dev.lock").write_text("django==5.2\n")

    def name(path, text):
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text)
        return migrated.name.__wrapped__()

    return name


def test_other_code_has_another_database(settings, name_of):
    settings.NAMED_SERVERS = False
    first = name_of("games/models.py", "one")
    assert first.startswith(migrated.KEPT)
    assert name_of("games/models.py", "one") == first
    assert name_of("games/models.py", "two") != first
    assert name_of("games/models.py", "one") == first
    assert name_of("requirements-dev.lock", "django==6.0\n") != first


def test_on_the_servers_of_others_it_has_the_name_of_the_run(settings, name_of):
    settings.NAMED_SERVERS = True
    assert name_of("games/models.py", "one") == migrated.OF_THIS_RUN
