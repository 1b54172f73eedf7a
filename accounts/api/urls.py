"""Below /api/v1/accounts/."""

from django.urls import include, path

from accounts.api import views

urlpatterns = [
    path("guest", views.GuestView.as_view()),
    path("register", views.RegisterView.as_view()),
    path("token", views.TokenView.as_view()),
    path("tokens", views.KeysView.as_view()),
    path("tokens/<uuid:key_id>", views.KeyView.as_view()),
    path("me", views.MeView.as_view()),
    path("me/notices", include("accounts.api.notices")),
    path("me/", include("accounts.notifications.api.urls")),
    path("me/", include("accounts.hours.api")),
    path("me/blocks", include("accounts.social.api")),
    path("me/", include("accounts.social.friends_api")),
]
