"""For other apps: who are friends, who is online, whose profile may be seen.

``accounts.social.selectors``:

* ``friends_of(account) -> list[UUID]``: the accounts of accepted friends. It is also declared on
  the ``AppConfig``, for rooms that may not import this one (``config.offers``).
* ``are_friends(one, other) -> bool``
* ``hidden_profiles() -> QuerySet``: ids of accounts that no list of strangers names, a subquery;
* ``person_by_username(viewer, username) -> User``: raises ``NoSuchAccount``, one answer for a name
  that does not exist and for a person who is hidden from ``viewer``;
* ``hidden_from(viewer, among) -> set[UUID]``: those whom the viewer may not learn of; on the
  ``AppConfig`` too;
* ``blocked_either_way(account) -> set[UUID]``: those whom it blocked or who blocked it.

``accounts.social.presence.online(accounts) -> set[UUID]``: those who have a stream open and do not
hide it. Show it to friends only.

``accounts.social.announcements``: ``subscribers`` are called in the transaction of a block.
"""

from django.apps import AppConfig


class SocialConfig(AppConfig):
    name = "accounts.social"
    verbose_name = "Accounts: friends and blocks"
    default_auto_field = "django.db.models.BigAutoField"

    friends_of = "accounts.social.selectors.friends_of"
    hidden_from = "accounts.social.selectors.hidden_from"
