"""Below /accounts/: the account page, and allauth's pages with sign-in and sign-up replaced."""

from django.urls import include, path

from accounts import visitors, web
from accounts.social.web import friend_patterns, privacy

urlpatterns = [
    path("", web.account, name="account"),
    path("profile/", web.change_profile, name="account_profile"),
    path("language/", visitors.set_language, name="set_language"),
    path("keys/", web.make_key, name="account_make_key"),
    path("keys/<uuid:key_id>/revoke/", web.revoke_key, name="account_revoke_key"),
    path("sessions/<uuid:session_id>/end/", web.end_session, name="account_end_session"),
    path("notices/<uuid:notice_id>/read/", web.read_notice, name="account_read_notice"),
    path(
        "announcements/<uuid:announcement_id>/close/",
        web.close_announcement,
        name="close_announcement",
    ),
    path("appeal/", visitors.appeal, name="account_appeal"),
    path("notifications/", include("accounts.notifications.web")),
    path("hours/", include("accounts.hours.web")),
    path("blocks/", include("accounts.social.web")),
    path("friends/", include(friend_patterns)),
    path("privacy/", privacy, name="account_privacy"),
    path("login/", web.SignInView.as_view(), name="account_login"),
    path("signup/", web.SignUpView.as_view(), name="account_signup"),
    path("signup/address/", web.ask_address, name="account_ask_address"),
    path("terms/", web.terms, name="terms"),
    path("welcome/", web.welcome, name="welcome"),
    path("", include("allauth.urls")),
]
