"""Where programs and the people who use them go; included at the root."""

from django.urls import path

from accounts.programs import pages

urlpatterns = [
    path("oauth/authorize", pages.authorize, name="oauth_authorize"),
    path("oauth/token", pages.token_endpoint, name="oauth_token"),
    path("oauth/revoke", pages.revoke_endpoint, name="oauth_revoke"),
    path(".well-known/oauth-authorization-server", pages.metadata, name="oauth_metadata"),
    path(".well-known/oauth-protected-resource", pages.resource, name="oauth_resource_root"),
    path(
        ".well-known/oauth-protected-resource/api/v1",
        pages.resource,
        {"path": "api/v1"},
        name="oauth_resource",
    ),
    path("accounts/programs/", pages.programs, name="programs"),
    path("accounts/programs/new/", pages.register, name="register_program"),
    path("accounts/programs/<str:client_id>/delete/", pages.delete, name="delete_program"),
    path(
        "accounts/programs/<uuid:connection_id>/disconnect/",
        pages.disconnect,
        name="disconnect_program",
    ),
]
