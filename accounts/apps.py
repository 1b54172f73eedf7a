from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "accounts"
    default = True
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Connects what counts failed sign-ins, remembers languages and keeps the roles."""
        from accounts.staff_pages import keep_roles

        post_migrate.connect(keep_roles)  # after the one of auth, which makes permissions


class StaffAdminConfig(admin_apps.AdminConfig):
    """The admin with the sign-in of the site."""

    default = False
    default_site = "accounts.admin_site.StaffSite"


class AuditConfig(AppConfig):
    name = "accounts.audit"
    verbose_name = "Audit"


# For other apps: ``accounts.hours.services.rests_of`` and ``accounts.hours.services``.


class HoursConfig(AppConfig):
    name = "accounts.hours"
    verbose_name = "Quiet hours and holidays"


# For other apps: ``accounts.notifications.outbox.owe``, called in the transaction of the cause.


class NotificationsConfig(AppConfig):
    name = "accounts.notifications"
    verbose_name = "Notifications"

    duties = (
        "accounts.notifications.delivering.DELIVERIES",
        "accounts.notifications.choices.FORGOTTEN",
    )

    def ready(self) -> None:
        from accounts.notifications.outbox import queue_figures
        from config.monitoring import installation

        installation.sources.append(queue_figures)


class ProgramsConfig(AppConfig):
    name = "accounts.programs"
    verbose_name = "Accounts: programs"


# For other apps: who are friends, who is online, whose profile may be seen.
#
# ``accounts.social.selectors``:
#
# * ``friends_of(account) -> list[UUID]``: the accounts of accepted friends. It is also declared on
#   the ``AppConfig``, for rooms that may not import this one (``config.offers``).
# * ``are_friends(one, other) -> bool``
# * ``hidden_profiles() -> QuerySet``: ids of accounts that no list of strangers names, a subquery;
# * ``person_by_username(viewer, username) -> User``: raises ``NoSuchAccount``, one answer for a
#   name
#   that does not exist and for a person who is hidden from ``viewer``;
# * ``hidden_from(viewer, among) -> set[UUID]``: those whom the viewer may not learn of; on the
#   ``AppConfig`` too;
# * ``blocked_either_way(account) -> set[UUID]``: those whom it blocked or who blocked it.
#
# ``accounts.social.selectors.online(accounts) -> set[UUID]``: those who have a stream open and do
# not hide it. Show it to friends only.
#
# ``accounts.social.services``: ``subscribers`` are called in the transaction of a block.


class SocialConfig(AppConfig):
    name = "accounts.social"
    verbose_name = "Accounts: friends and blocks"

    friends_of = "accounts.social.selectors.friends_of"
    hidden_from = "accounts.social.selectors.hidden_from"
