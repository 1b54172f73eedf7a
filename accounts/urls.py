"""Below /accounts/: the account page, and allauth's pages with sign-in and sign-up replaced."""

from django.urls import include, path

from accounts.social.web import friend_patterns, privacy
from accounts.web import account_page, language, notices, sign_in, suspended

urlpatterns = [
    path("", account_page.account, name="account"),
    path("profile/", account_page.change_profile, name="account_profile"),
    path("language/", language.set_language, name="set_language"),
    path("keys/", account_page.make_key, name="account_make_key"),
    path("keys/<uuid:key_id>/revoke/", account_page.revoke_key, name="account_revoke_key"),
    path("sessions/<uuid:session_id>/end/", account_page.end_session, name="account_end_session"),
    path("notices/<uuid:notice_id>/read/", notices.read_notice, name="account_read_notice"),
    path(
        "announcements/<uuid:announcement_id>/close/",
        notices.close_announcement,
        name="close_announcement",
    ),
    path("appeal/", suspended.appeal, name="account_appeal"),
    path("notifications/", include("accounts.notifications.web.urls")),
    path("hours/", include("accounts.hours.web")),
    path("blocks/", include("accounts.social.web")),
    path("friends/", include(friend_patterns)),
    path("privacy/", privacy, name="account_privacy"),
    path("login/", sign_in.SignInView.as_view(), name="account_login"),
    path("signup/", sign_in.SignUpView.as_view(), name="account_signup"),
    path("welcome/", sign_in.welcome, name="welcome"),
    path("", include("allauth.urls")),
]
