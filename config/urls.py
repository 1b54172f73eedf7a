"""Which app serves which path."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("games.api.urls")),
    path("accounts/", include("accounts.urls")),
    path("decks/", include("decks.urls")),
    path("admin/", admin.site.urls),
    path("", include("games.web.urls")),
]

handler500 = "config.api.errors.server_failed"
