"""The paths that each app serves."""

from django.contrib import admin
from django.urls import include, path

from config.pages.static_files import documentation

urlpatterns = [
    path("", include("games.api.urls")),
    path("", include("accounts.programs.pages")),
    path("accounts/", include("accounts.urls")),
    path("decks/", include("decks.web")),
    path("admin/", admin.site.urls),
    path("docs/", documentation, name="documentation"),
    path("docs/<path:path>", documentation, name="documentation_page"),
    path("", include("games.web.urls")),
]

handler500 = "config.api.errors.server_failed"
