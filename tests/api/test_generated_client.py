"""openapi-python-client makes a client of the document, and that client plays whole matches."""

import importlib
import subprocess
import sys

import httpx
import msgspec
import pytest
from django.core.wsgi import get_wsgi_application

from cardroom.rules import catalog
from tests.api.test_examples import document
from tests.rules.short import short_options

# The generator knows no pictures and no lines of JSON until it is told to take them as bytes.
CONFIG = """
post_hooks: []
content_type_overrides:
  image/png: application/octet-stream
  application/x-ndjson: application/octet-stream
"""


# Their shared part takes seconds; `make test` checks the document and every recorded answer.
pytestmark = [pytest.mark.sweep, pytest.mark.xdist_group("generated client")]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The generated package; the generator has nothing to warn of."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_bytes(msgspec.json.encode(document()))
    (folder / "config.yaml").write_text(CONFIG)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    files = [
        *("--path", "openapi.json", "--config", "config.yaml", "--output-path", "cardroom_client"),
    ]
    done = subprocess.run(
        [*command, *files], cwd=folder, capture_output=True, text=True, check=True
    )
    told = done.stdout + done.stderr
    assert "WARNING" not in told, told
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield importlib.import_module("cardroom_client")


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_it_plays_a_match_of_each_game(generated, one_transaction, game):
    def call(name, **kwargs):
        tag = {"create_guest": "accounts", "events": "watching"}.get(name, "playing")
        module = importlib.import_module(f"cardroom_client.api.{tag}.{name}")
        return module.sync(client=client, **kwargs)

    models = importlib.import_module("cardroom_client.models")
    name = "".join(map(str.capitalize, game.slug.split("-")))
    transport = httpx.WSGITransport(app=get_wsgi_application())
    reach = {"base_url": "http://localhost", "httpx_args": {"transport": transport}}
    client = generated.Client(**reach)
    guest = call("create_guest", body=models.Nothing())
    client = generated.AuthenticatedClient(token=guest.token, prefix="Token", **reach)

    seats = [{"kind": "me"}, {"kind": "local", "name": "Twin"}]
    asked = {"game": game.slug, "options": short_options(game), "seats": seats}
    new_match = getattr(models, f"New{name}Match").from_dict(asked)
    match = call("create_match", body=new_match)
    assert type(match).__name__ == f"{name}Match"
    assert type(match.view).__name__ == f"{name}View"
    stale = call("move", match_id=match.id, body=models.NewMove(move="?", version=99))
    assert stale.code == "stale_version"
    while match.status == "active" and match.version < 40:
        played = models.NewMove(move=match.legal_moves[0].move, version=match.version)
        moved = call("move", match_id=match.id, body=played)
        assert moved.version == match.version + 1
        match = call("match", match_id=match.id)
    told = call("events", match_id=match.id)
    assert all(type(event).__name__.startswith(name) for event in told.events)
