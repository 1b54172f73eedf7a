"""Pages of the club for operators: the dashboard, announcements, settings, jobs."""

import csv
from base64 import b64decode
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.utils import parseaddr
from typing import Any, ClassVar, Final, NamedTuple, cast
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMultiAlternatives
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from redis.exceptions import RedisError

from accounts import single_sign_on
from accounts.audit import log
from accounts.models import User
from accounts.notifications.channels import send
from accounts.staff_pages import ReadOnly, StaffPages
from config import club
from config.models import Announcement, SettingChange, Trouble
from config.monitoring import diagnosis
from config.postgres import together
from config.postgres.together import Count
from config.refusals import Refusal
from config.settings.club import OF_PLACE, Setting
from config.tasks import duties
from games.matches.models import Match
from games.operations import figures, jobs
from games.operations.finding import span

GROUPS = {
    "club": "The club",
    "place": "The place",
    "limits": "How much one account may have",
    "rates": "Requests",
    "retention": "How long things are kept",
}
LONGEST_LOGGED = 200  # letters of a value in the audit log


@admin.register(Announcement)
class AnnouncementAdmin(StaffPages):
    """Every page shows them from one moment until another; a change is everywhere at once."""

    list_display = ("text", "audience", "shown_from", "shown_until", "is_dismissable")
    list_filter = ("audience",)
    list_per_page = 50
    show_full_result_count = False
    fields = (
        *("audience", "text", "text_tr", "text_ru", "text_cs", "link"),
        *("shown_from", "shown_until", "is_dismissable"),
    )

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:  # noqa: FBT001
        """One that is new begins now at the earliest: streams tell what begins."""
        if not change:
            obj.shown_from = max(obj.shown_from, timezone.now())
        super().save_model(request, obj, form, change)
        club.tell()

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        super().delete_model(request, obj)
        club.tell()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        super().delete_queryset(request, queryset)
        club.tell()


class Page(ReadOnly, StaffPages):
    """A page in place of a list. ``right`` is what its buttons need."""

    template: ClassVar[str]
    title: ClassVar[str]
    right: ClassVar[str]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        may = request.user.has_perm(self.right)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            try:
                messages.success(request, self.act(request, cast("User", request.user)))
            except Refusal as refused:
                messages.error(request, str(refused))
            return redirect(request.get_full_path())
        context = self.admin_site.each_context(request) | {"title": self.title, "may": may}
        return TemplateResponse(request, self.template, context | self.shown(request))

    def shown(self, request: HttpRequest) -> dict[str, Any]:
        """More of the context of the template."""
        return {}

    def act(self, request: HttpRequest, user: User) -> str:
        """Does what a button says and returns the next page's message; this page has no button."""
        raise PermissionDenied


@admin.register(SettingChange)
class SettingAdmin(Page):
    template = "admin/operators/settings.html"
    title = "Settings"
    right = "config.change_settingchange"

    def shown(self, request: HttpRequest) -> dict[str, Any]:
        rows = SettingChange.objects.order_by("name", "-id").distinct("name")
        newest = {row.name: row for row in rows}
        lines: dict[str, list[dict[str, Any]]] = {title: [] for title in GROUPS.values()}
        for name, one in club.REGISTRY.items():
            value, usual = club.value(name), club.default(name)
            lines[GROUPS["place" if one in OF_PLACE else one.group]].append(
                {
                    "setting": one,
                    "value": _written(value),
                    "usual": _written(usual),
                    "is_changed": value != usual,
                    "newest": newest.get(name),
                }
            )
        about = request.GET.get("name", "")
        past = club.history(about) if about in club.REGISTRY else []
        return {
            "groups": lines.items(),
            "about": club.REGISTRY.get(about),
            "past": [(row, _written(row.value)) for row in past],
            "mail": settings.MAIL_IS_SET_UP,
        }

    def act(self, request: HttpRequest, user: User) -> str:
        if "test_mail" in request.POST:
            return _send_test_mail(user)
        name = request.POST.get("name", "")
        if name not in club.REGISTRY:
            raise Http404
        if "back" in request.POST:
            before, now = club.put_back(name=name, by=user.username)
        elif row := request.POST.get("row", ""):
            before, now = club.put_back_to(name=name, row=row, by=user.username)
        else:
            file = request.FILES.get("value")
            if file is None or club.REGISTRY[name].kind.field != "picture":
                given: Any = request.POST.get("value", "")
            else:
                given = file.read()
            before, now = club.change(name=name, given=given, by=user.username)
        one = club.REGISTRY[name]
        before, now = (_logged(one, value) for value in (before, now))
        log.write(user, "change_setting", "setting", name, one.title, before=before, after=now)
        shown = _written(now) or "nothing"
        return f"{one.title}: “{shown}”. Every process has it within two seconds."


def _send_test_mail(user: User) -> str:
    """To their own address, confirmed or not; the answer of the mail server where it takes none."""
    own = EmailAddress.objects.filter(user=user).order_by("-primary", "-verified", "-pk").first()
    to = user.email or (own.email if own else "")
    if not to:
        raise Refusal(
            f"Your account has no address of mail: add one at {reverse('account_email')}."
        )
    text = f"This is the test mail of {club.PLACE.name} that {user.username} asked for."
    mail = EmailMultiAlternatives("Test", text, club.PLACE.sender, [to])
    answer = send(mail)
    if not answer.is_good:
        raise Refusal(f"No mail was sent: {answer.status or ''} {answer.why}.")
    return f"Sent from {parseaddr(club.PLACE.sender)[1]} to {to}."


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _logged(one: Setting, value: Any) -> Any:
    """A long text is cut, a picture counted."""
    if one.kind.field == "picture" and value:
        return f"a picture of {len(b64decode(value)) / 1000:.1f} kB"
    if not isinstance(value, str) or len(value) <= LONGEST_LOGGED:
        return value
    return f"{value[:LONGEST_LOGGED]}… ({len(value):,} characters)"


@admin.register(Trouble)
class JobAdmin(Page):
    template = "admin/operators/jobs.html"
    title = "Jobs"
    right = "config.change_trouble"

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.numbers_page)
        health = self.admin_site.admin_view(self.health_page)
        own = [path("numbers", page, name="numbers"), path("health", health, name="health")]
        return [*own, *super().get_urls()]

    def shown(self, _request: HttpRequest) -> dict[str, Any]:
        try:
            return {"jobs": jobs.jobs(), "queues": jobs.queues().items(), "buttons": jobs.BUTTONS}
        except Refusal as refused:
            return {"refused": str(refused), "failures": jobs.failures()}

    def act(self, request: HttpRequest, user: User) -> str:
        name, error = request.POST.get("name", ""), request.POST.get("error", "")
        match request.POST.get("act"):
            case "run":
                jobs.run_now(name=name, user=user)
                return f"{name.capitalize()}: a worker does it as soon as it is free."
            case "aside":
                rows = jobs.set_aside(name=name, error=error, user=user)
                return f"{name.capitalize()}: rows set aside: {rows}."
            case "again":
                rows = jobs.try_again(name=name, error=error, user=user)
                return f"{name.capitalize()}: rows tried again: {rows}."
        raise Http404

    def health_page(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        may = request.user.has_perm(SettingAdmin.right)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            try:
                messages.success(request, single_sign_on.try_provider())
            except single_sign_on.ProviderFails as fault:
                messages.error(request, str(fault))
            return redirect("admin:health")
        context = self.admin_site.each_context(request) | {
            "title": "What is wrong",
            "findings": diagnosis.findings(),
            "oidc": settings.OIDC if may else None,
            "callback": single_sign_on.callback(),
            "has_pages": (settings.DOCS_ROOT / "index.html").is_file(),
        }
        return TemplateResponse(request, "admin/operators/health.html", context)

    def numbers_page(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        wish = request.GET.get("weeks", "")
        weeks = int(wish) if wish in map(str, figures.WEEKS) else figures.WEEKS[0]
        tables = figures.tables(weeks)
        if slug := request.GET.get("csv", ""):
            chosen = next((one for one in tables if one.slug == slug), None)
            if chosen is None:
                raise Http404
            return _as_csv(chosen, weeks)
        context = self.admin_site.each_context(request) | {
            "title": "How is it going",
            "tables": tables,
            "weeks": weeks,
            "choices": figures.WEEKS,
        }
        return TemplateResponse(request, "admin/operators/numbers.html", context)


def _as_csv(table: figures.Numbers, weeks: int) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"cardroom-{table.slug}-{weeks}-weeks.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    rows = csv.writer(response)
    rows.writerow(table.columns)
    rows.writerows(table.rows)
    return response


# The dashboard: what needs somebody now, how the service runs, and both over time.

WIDTH, HEIGHT = 600, 120
PLOT_SPANS: Final = {"24 hours": (timedelta(days=1), 144), "30 days": (timedelta(days=30), 180)}
PLOTS: Final = (
    ("moves", "Moves a minute", ""),
    ("active", "Running matches", ""),
    ("bot_p99", "Bot latency, p99", " ms"),
    ("unpaid", "Oldest due bot turn", " s"),
)
WAITING: Final = 10
TROUBLES: Final = 20
IS_OLD: Final = 36 * 3600  # seconds; there is an audit and a backup each night


class Figure(NamedTuple):
    """One number with what it means; ``tone`` is good, warn, bad or nothing."""

    label: str
    value: str
    note: str = ""
    tone: str = ""
    link: str = ""


class Plot(NamedTuple):
    title: str
    line: str
    area: str
    least: str
    most: str
    newest: str
    since: str


def context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Unfold's callback. A person who may not see matches sees no figures."""
    if not request.user.has_perm("games.view_match"):
        return context
    current = figures.now_figures()
    chosen = request.GET.get("span", "")
    shown = chosen if chosen in PLOT_SPANS else "24 hours"
    failing, troubles, waiting = together.read(
        Count(Trouble.objects.all()),
        Trouble.objects.all()[:TROUBLES],
        Match.objects.filter(status=Match.Status.ACTIVE)
        .order_by("updated_at")
        .only("game", "rules_version", "to_act", "updated_at", "bot_due_at")[:WAITING],
    )
    long, points = PLOT_SPANS[shown]
    samples = figures.series([name for name, _, _ in PLOTS], long, points)
    return context | {
        "title": "Dashboard",
        "urgent": list(_urgent(current, failing)),
        "running": list(_running(current)),
        "plots": [_plot(samples[name], title, unit, long) for name, title, unit in PLOTS],
        "spans": list(PLOT_SPANS),
        "shown_span": shown,
        "waiting": list(_waiting(waiting)),
        "troubles": troubles,
    }


def _matches(**filters: str) -> str:
    return f"{reverse('admin:games_match_changelist')}?{urlencode(filters)}"


def _urgent(current: dict[str, Any], failing: int) -> Iterator[Figure]:
    for name, label in (("owes_bot", "A bot's turn is due"), ("late", "Past their deadline")):
        tone = "bad" if current[name] else "good"
        yield Figure(label, f"{current[name]:,}", "matches", tone, _matches(problem=name))
    tone = "warn" if current["stalled"] else "good"
    link = _matches(problem="stalled")
    yield Figure("Nobody moves", f"{current['stalled']:,}", "for more than a day", tone, link)
    yield _audit(current["audit"])
    yield _backup(current)
    yield _duties(failing)
    inbox = reverse("admin:operations_playerreport_changelist")
    tone = "warn" if current["reports"] else "good"
    yield Figure("Open reports", f"{current['reports']:,}", "from players", tone, inbox)


def _running(current: dict[str, Any]) -> Iterator[Figure]:
    yield Figure("Matches today", f"{current['today']:,}", f"{current['open']:,} wait for players")
    link = _matches(status__exact="active")
    yield Figure("Running", f"{current['active']:,}", "matches", "", link)
    yield Figure("Moves a minute", f"{current['moves']:,}", "of people and bots")
    p50, p99 = _ms(current["bot_p50"]), _ms(current["bot_p99"])
    yield Figure("Bot latency", p50, f"median; p99 {p99}, last 10 minutes")
    due_for = timedelta(seconds=current["unpaid"])
    tone = "bad" if current["unpaid"] > 10 else "good"
    yield Figure("Oldest due bot turn", span(due_for), "since it was due", tone)
    yield Figure("Queue", _count(current["queue"]), "tasks wait for a worker")
    failed = current["failed"]
    yield Figure("Failed tasks", _count(failed), "today", "bad" if failed else "good")
    yield Figure("Listeners", _count(current["listeners"]), "open streams of all web processes")
    yield _database(current["database"], current["disk_free"], current["disk_used"])
    cleaned = reverse("admin:operations_cleanup_changelist")
    yield Figure("Last clean-up", _ago(current["cleaned"]), current["clean_up"], "", cleaned)


def _duties(failing: int) -> Figure:
    """Duties: late as a whole, or failing at some rows."""
    try:
        late = duties.late()
    except RedisError:
        late = "nobody knows without Valkey"
    tone = "warn" if failing else "good"
    return Figure("Rows that fail", f"{failing:,}", late, tone if late == "up" else "bad")


def _database(size: float, free: float | None, used: float | None) -> Figure:
    if free is None or used is None:
        return Figure("Database", f"{size / 1e9:.1f} GB", "the size of its disk is unknown", "")
    note = f"{free / 1e9:.1f} GB free on its disk, {used:.0%} used"
    return Figure("Database", f"{size / 1e9:.1f} GB", note, "bad" if used > 0.9 else "good")


def _audit(audit: dict[str, Any] | None) -> Figure:
    """Bad if a match does not follow from its moves; a warning if the last audit is old."""
    link = reverse("admin:operations_replayaudit_changelist")
    if audit is None:
        return Figure("Replay audit", "never", "the first one comes in the night", "warn", link)
    if audit["faulty"]:
        count = f"{audit['faulty']:,}"
        note = f"of {audit['checked']:,} matches do not follow from their moves"
        return Figure("Replay audit", count, note, "bad", link)
    known = audit.get("named")  # told by an earlier audit; an older figure in the cache has none
    tone = "warn" if known or audit["seconds"] > IS_OLD else "good"
    note = f"{audit['checked']:,} matches verified"
    note += f", {known:,} known to be at fault" if known else ""
    return Figure("Replay audit", _ago(audit["seconds"]), note, tone, link)


def _backup(current: dict[str, Any]) -> Figure:
    """Bad if the last one failed, also on its trial; a warning if it is old, or nothing is due."""
    link = reverse("admin:operations_backup_changelist")
    last, fault = current.get("backup"), current.get("backup_fault")
    value = _ago(last and last["seconds"])
    if fault:
        return Figure("Last backup", value, fault[:120], "bad", link)
    if not settings.BACKUPS["nightly"]:
        return Figure("Last backup", value, "none is made by itself (BACKUPS)", "warn", link)
    if last is None:
        return Figure("Last backup", value, "the first one comes in the night", "warn", link)
    note = f"{last['size'] / 1e6:,.1f} MB"
    note += "" if last["trial"] is None else f", restored on trial in {last['trial']:.0f} s"
    note += ", also elsewhere" * last["elsewhere"]
    return Figure("Last backup", value, note, "warn" if last["seconds"] > IS_OLD else "good", link)


def _ago(seconds: float | None) -> str:
    return "never" if seconds is None else f"{span(timedelta(seconds=seconds))} ago"


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f} ms"


def _count(value: int | None) -> str:
    return "away" if value is None else f"{value:,}"


def _waiting(matches: list[Match]) -> Iterator[dict[str, Any]]:
    """The running matches that have waited longest for somebody."""
    now = timezone.now()
    prefetch_related_objects(matches, "seats")
    for match in matches:
        names = [seat.name for seat in match.seats.all() if seat.index in match.to_act]
        since = span(now - match.updated_at)
        yield {"match": match, "names": ", ".join(names), "since": since}


def _plot(samples: Sequence[tuple[float, float]], title: str, unit: str, long: timedelta) -> Plot:
    most = max((value for _, value in samples), default=0.0)
    top = most or 1.0
    places = [
        (f"{x * WIDTH:.1f}", f"{HEIGHT - 4 - value / top * (HEIGHT - 12):.1f}")
        for x, value in samples
    ]
    line = " ".join(f"{x},{y}" for x, y in places)
    area = f"{places[0][0]},{HEIGHT} {line} {places[-1][0]},{HEIGHT}" if places else ""
    newest = f"{samples[-1][1]:,.0f}{unit}" if samples else "no sample yet"
    return Plot(title, line, area, "0", f"{most:,.0f}{unit}", newest, span(long))
