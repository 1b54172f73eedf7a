"""Every address of the service is called by everybody: whoever reads what nobody may is named."""

from http import HTTPStatus

from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from cardroom.rules import record
from games.matches.selectors.lineage import rounds_of_match
from games.matches.selectors.log import decks_of
from tests.security.test_authorisation_matrix import BACKEND, CONVERTER, GROUP, patterns

LEAST = 20  # letters of a deck that stand nowhere by chance


def secrets_of(match):
    """The seed, and each deck that was dealt, as records write it and as it is stored."""
    decks = [deck for one in rounds_of_match(match) for deck in decks_of(bytes(one.decks))]
    texts = [record.deck_text(match.rules, deck) for deck in decks]
    stored = [bytes(one.decks).decode() for one in rounds_of_match(match)]
    return [match.seed.hex(), *(each for each in texts + stored if len(each) > LEAST)]


def addresses(match, rows, names, word):
    """Every address that names the match or has this ``word`` in it.

    ``rows`` are those that pages of the administration show, by the app and model in their path.
    """
    known = {"match_id": match.id, "game": match.game, "slug": "verify"} | names
    rows = rows | {"games/match": match.id}
    for pattern in dict.fromkeys(patterns(get_resolver().url_patterns)):
        row = next((pk for part, pk in rows.items() if f"admin/{part}" in pattern), 1)
        values, path = known | {"object_id": row}, pattern
        for kind in (GROUP, CONVERTER):
            path = kind.sub(lambda found, values=values: str(values.get(found[1], "undo")), path)
        if str(match.id) in path or word in path:
            yield "/" + path.replace("^", "").replace("$", "")


def readers(**people):
    """These, and a member of the staff with all rights."""
    found = {}
    for name, user in {**people, "staff": User.objects.create_superuser("Super")}.items():
        found[name] = Client(raise_request_exception=False)
        found[name].force_login(user, BACKEND)
    return found


def text_of(client, path):
    with transaction.atomic():
        answer = client.get(path)
        transaction.set_rollback(True)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return answer.status_code, content.decode(errors="replace")


def faults(match, secrets, paths, readers, strangers):
    """A line for each answer that holds a secret, and for what strangers read of the match."""
    for path in paths:
        if path.endswith("/stream"):
            continue  # what it sends is the view and the events, which are read beside it
        for name, client in readers.items():
            status, text = text_of(client, path)
            yield from (f"{name} {path}: {secret[:12]}…" for secret in secrets if secret in text)
            of_match = str(match.id) in path and not path.startswith("/admin/")
            if of_match and name in strangers and status < 300:
                yield f"{name} reads {path}"
            if status >= 500:
                yield f"{name} {path}: {status}"
            if status == HTTPStatus.METHOD_NOT_ALLOWED:
                break  # there is nothing to read for anybody
