"""What staff may do: three roles, which every migration restores, and who may change whom.

A role is a group. Superusers may do everything; nobody else grants more than they have themselves,
or changes an account that has as many rights as their own.
"""

from typing import Any, Final

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission
from django.db.models import Q, QuerySet

from accounts.models import User

SUBJECTS: Final = (
    "accounts",
    "audit",
    "coaching",
    "competitions",
    "config",
    "daily",
    "decks",
    "exercises",
    "exports",
    "games",
    "hours",
    "leagues",
    "lobby",
    "mirrored",
    "bot_accounts",
    "notifications",
    "operations",
    "ratings",
)
_REFEREE: Final = frozenset(
    {
        "accounts.delete_key",
        "competitions.run_tournament",
        "config.add_announcement",
        "config.change_announcement",
        "config.delete_announcement",
        "config.change_trouble",
        "decks.change_deck",
        "decks.delete_deck",
        "decks.delete_measurement",
        "exercises.withdraw_exercise",
        "games.abort_match",
        "games.adjudicate_match",
        "games.audit_match",
        "games.change_match",
        "games.change_simulation",
        "games.close_match",
        "games.repair_match",
        "games.roll_back_match",
        "games.watch_private_match",
        "hours.change_holiday",
        "notifications.change_delivery",
        "operations.change_playerreport",
        "operations.message_person",
        "operations.note_person",
        "operations.suspend_person",
    }
)
_ADMINISTRATOR: Final = _REFEREE | {
    "accounts.add_user",
    "accounts.change_user",
    "allauth_idp_oidc.delete_client",
    "allauth_idp_oidc.view_client",
    "auth.view_group",
    "config.change_settingchange",
    "axes.delete_accessattempt",
    "axes.view_accessattempt",
    "games.see_hidden_cards",
    "operations.erase_person",
    "operations.export_person",
    "mfa.delete_authenticator",
    "mfa.view_authenticator",
}
# The rights of each role, besides reading every page of our own.
ROLES: Final = {"viewer": frozenset(), "referee": _REFEREE, "administrator": _ADMINISTRATOR}


def keep_roles(sender: AppConfig, **_: Any) -> None:
    """After each migration: gives each role its permissions, as far as they exist yet."""
    if sender.label not in (*SUBJECTS, "allauth_idp_oidc", "axes", "mfa"):
        return
    known = Permission.objects.select_related("content_type")
    by_name = {f"{one.content_type.app_label}.{one.codename}": one for one in known}
    views = {name for name in by_name if name.startswith(tuple(f"{app}.view_" for app in SUBJECTS))}
    for role, more in ROLES.items():
        group = Group.objects.get_or_create(name=role)[0]
        group.permissions.set([by_name[name] for name in (views | more) & by_name.keys()])


def rights_of(user: User) -> set[int]:
    """The permissions of an account, active or not; of a superuser only those given by name."""
    permissions = Permission.objects.filter(Q(user=user) | Q(group__user=user))
    return set(permissions.values_list("pk", flat=True))


def outranks(actor: Any, user: User) -> bool:
    """Whether ``actor`` may change the account of ``user``: their own, or one with fewer rights."""
    if actor.is_superuser or actor.pk == user.pk:
        return True
    return not user.is_superuser and rights_of(user) < rights_of(actor)


def grantable_groups(actor: Any) -> QuerySet[Group]:
    """The groups that give nothing beyond what ``actor`` has."""
    groups = Group.objects.all()
    if actor.is_superuser:
        return groups
    beyond = Permission.objects.exclude(pk__in=rights_of(actor))
    return groups.exclude(permissions__in=beyond)
