"""The accounts and keys of the suite are written past the services, and are what those write."""

from accounts import services
from accounts.models import Key, User
from config.api.scopes import SCOPES
from tests.conftest import PASSWORD, key_of, registered


def columns(row, *other):
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {name: value for name, value in fields.items() if name not in other}


def test_an_account_is_what_registering_writes(db):
    other = ("id", "date_joined", "password")
    written = columns(registered("Ada"), *other)
    User.objects.all().delete()
    ada = services.register(username="Ada", password=PASSWORD)
    assert written == columns(ada, *other)
    assert registered("Ben").check_password(PASSWORD)


def test_a_key_is_what_issuing_writes(ada, guest):
    for person in (ada, guest):
        secret = key_of(person)
        mine, issued = Key.objects.get(), services.issue_key(user=person, scopes=SCOPES)
        other = ("id", "digest", "created_at", "last_used_at", "expires_at")
        assert columns(mine, *other) == columns(issued.key, *other)
        assert (mine.expires_at is None) == (issued.key.expires_at is None)
        assert len(secret) == len(issued.secret)
        assert len(mine.digest) == len(issued.key.digest)
        Key.objects.all().delete()
