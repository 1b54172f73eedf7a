"""How django-unfold shows the admin: its name, and the way to each page by the work."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy


def _icon(_request: HttpRequest) -> str:
    return static("games/img/favicon.svg")


def _zone(_request: HttpRequest) -> list[str]:
    """On every page, since lists name no zone with each time."""
    return [f"All times are {settings.TIME_ZONE}", "info"]


def _accent(_request: HttpRequest) -> str:
    return static("games/css/admin_theme.css")


def _page(title: str, icon: str, model: str, right: str = "") -> dict[str, Any]:
    app, name = model.split(".")

    def allowed(request: HttpRequest) -> bool:
        return bool(request.user.has_perm(right or f"{app}.view_{name}"))

    link = reverse_lazy(f"admin:{app}_{name}_changelist")
    return {"title": title, "icon": icon, "link": link, "permission": allowed}


def _group(title: str, *pages: dict[str, Any]) -> dict[str, Any]:
    return {"title": title, "separator": True, "items": list(pages)}


NAVIGATION = [
    {
        "items": [
            {"title": "Dashboard", "icon": "monitoring", "link": reverse_lazy("admin:index")},
            {
                "title": "How is it going",
                "icon": "trending_up",
                "link": reverse_lazy("admin:numbers"),
                "permission": lambda request: bool(request.user.has_perm("games.view_match")),
            },
        ]
    },
    _group(
        "Matches",
        _page("Matches", "playing_cards", "games.match"),
        _page("Reports", "flag", "operations.playerreport"),
        _page("Bulk runs", "checklist", "operations.bulkrun"),
        _page("Plies", "format_list_numbered", "games.ply"),
        _page("Rounds", "bookmark", "games.round"),
        _page("Seats", "event_seat", "games.seat"),
        _page("Seeks", "person_search", "lobby.seek"),
        _page("Challenges", "swords", "lobby.challenge"),
        _page("Deals of the day", "today", "daily.dailydeal"),
        _page("Mirrored sets", "compare_arrows", "mirrored.mirroredset"),
        _page("Tournaments", "trophy", "competitions.tournament"),
        _page("Weeks of leagues", "stairs", "leagues.week"),
        _page("Lines of leagues", "format_list_numbered", "leagues.line"),
        _page("Members of leagues", "groups", "leagues.membership"),
        _page("Exercises", "extension", "exercises.exercise"),
        _page("Answers to exercises", "quiz", "exercises.attempt"),
    ),
    _group(
        "People",
        _page("People", "group", "operations.person"),
        _page("Accounts and rights", "manage_accounts", "accounts.user"),
        _page("Bot accounts", "smart_toy", "bot_accounts.program"),
        _page("Keys", "key", "accounts.key"),
        _page("Roles", "badge", "auth.group"),
    ),
    _group(
        "Ratings",
        _page("Ratings of people", "leaderboard", "ratings.personrating"),
        _page("Rated matches", "balance", "ratings.ratedmatch"),
        {
            "title": "Suspicious ratings",
            "icon": "handshake",
            "link": reverse_lazy("admin:ratings_personrating_pairs"),
            "permission": lambda request: bool(request.user.has_perm("ratings.view_personrating")),
        },
    ),
    _group(
        "Decks",
        _page("Side decks", "style", "decks.deck"),
        _page("Measurements", "straighten", "decks.measurement"),
    ),
    _group(
        "Simulations",
        _page("Simulations", "experiment", "games.simulation"),
        _page("Parts", "splitscreen", "games.simulationpart"),
    ),
    _group(
        "Club",
        _page("Announcements", "campaign", "config.announcement"),
        _page("Settings", "tune", "config.settingchange"),
        _page("Jobs", "work_history", "config.trouble"),
    ),
    _group(
        "System",
        _page("Audit log", "policy", "audit.entry"),
        _page("Replay audits", "replay", "operations.replayaudit"),
        _page("Exports and archives", "inventory_2", "exports.recordfile"),
        _page("Deliveries", "outgoing_mail", "notifications.delivery"),
        _page("What people are told", "notifications", "notifications.cause"),
        _page("Webhooks", "webhook", "notifications.endpoint"),
        _page("Holidays", "beach_access", "hours.holiday"),
        _page("Analyses", "school", "coaching.analysis"),
        _page("Matches looked through", "search_insights", "exercises.scan"),
        _page("Clean-ups", "cleaning_services", "operations.cleanup"),
        {
            "title": "Games",
            "icon": "casino",
            "link": reverse_lazy("admin:games_match_games"),
            "permission": lambda request: bool(request.user.has_perm("games.view_match")),
        },
        _page("Failed sign-ins", "lock_person", "axes.accessattempt"),
    ),
]

THEME = {
    "SITE_TITLE": "Cardroom",
    "SITE_HEADER": "Cardroom",
    "ENVIRONMENT": _zone,
    "SITE_ICON": _icon,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
    "STYLES": [_accent],
    "DASHBOARD_CALLBACK": "games.admin.dashboard.context",
    "SIDEBAR": {"show_search": False, "show_all_applications": False, "navigation": NAVIGATION},
}
