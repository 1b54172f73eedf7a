"""Every address of the API; included at the root."""

from django.urls import URLPattern, include, path, re_path

from accounts import api as accounts
from accounts.hours import api as hours
from accounts.notifications import api as notifications
from accounts.programs import api as programs
from accounts.social import api as social
from config.api.errors import no_such_call
from decks import api as decks
from games.api import (
    bots,
    catalog,
    coaching,
    daily,
    docs,
    exercises,
    leagues,
    lobby,
    matches,
    own_account,
    people,
    playing,
    records,
    simulations,
    streams,
    table,
    tournaments,
)

RESOURCES = (
    *(catalog, matches, playing, table, coaching, streams, records, daily, exercises, lobby),
    *(tournaments, leagues, people, simulations, bots, own_account),
    *(accounts, notifications, hours, programs, social, decks),
)
index = docs.api.views[""]
calls: list[URLPattern] = [
    *(address for resource in RESOURCES for address in resource.api.urls),
    path("", index.as_view(schema=None)),  # in the document it is the address without a slash
    path("schema", docs.send_document, name="schema"),
    path("docs", docs.DocsPage.as_view(url_name="schema"), name="docs"),
    path("docs/<slug:operation>", docs.operation_page, name="operation"),
    path("changes.atom", docs.changes_feed, name="api_changes"),
    re_path(r"[\s\S]*", no_such_call),  # a path converter stops at a line break
]
urlpatterns = [path("api/v1", index.as_view()), path("api/v1/", include(calls))]
