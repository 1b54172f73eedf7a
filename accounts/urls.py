"""Below /accounts/: the account page, and allauth's pages with its two doors replaced."""

from django.urls import include, path

from accounts.web import entrance, page

urlpatterns = [
    path("", page.account, name="account"),
    path("profile/", page.change_profile, name="account_profile"),
    path("keys/", page.make_key, name="account_make_key"),
    path("keys/<uuid:key_id>/revoke/", page.revoke_key, name="account_revoke_key"),
    path("login/", entrance.SignInView.as_view(), name="account_login"),
    path("signup/", entrance.SignUpView.as_view(), name="account_signup"),
    path("", include("allauth.urls")),
]
