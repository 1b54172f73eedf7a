"""People, for operators."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, cast
from urllib.parse import urlencode
from uuid import UUID

from axes.models import AccessLog
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import BooleanField, ExpressionWrapper, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from accounts.names import standing_of
from accounts.social.models import Privacy
from accounts.social.selectors import friendships_of
from accounts.staff_pages import LongLists, OwnPage, ReadOnly, entries_about
from config.postgres import together
from config.postgres.together import Count
from config.refusals import Refusal
from games.matches.models import Seat
from games.operations import finding, people, refereeing, undoing
from games.operations.finding import is_part_of_id, of_id, people_named
from games.operations.models import Person, PlayerReport
from games.phrases import speaking
from games.phrases.speaking import silences_of

ROWS_SHOWN: Final = 20
MOST_DAYS: Final = 3650
RIGHTS: Final = {
    "suspend": "operations.suspend_person",
    "lift": "operations.suspend_person",
    "silence": "operations.suspend_person",
    "unsilence": "operations.suspend_person",
    "note": "operations.note_person",
    "message": "operations.message_person",
    "export": "operations.export_person",
    "erase": "operations.erase_person",
}


@admin.register(Person)
class PersonAdmin(OwnPage, ReadOnly, LongLists):
    list_display = ("username", "display_name", "is_guest", "standing", "date_joined")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username",)
    search_help_text = "The beginning of a username or display name, or a part of an id"
    ordering = ("-id",)
    actions = ("act_on_them",)

    def get_urls(self) -> list[Any]:
        act = self.admin_site.admin_view(self.act_page)
        own = path("<uuid:user_id>/<slug:what>/do", act, name="operations_person_act")
        return [own, *super().get_urls()]

    def get_search_results(
        self, _: HttpRequest, rows: QuerySet[Person], term: str
    ) -> tuple[QuerySet[Person], bool]:
        if not term.strip():
            return rows, False
        ids = list(people_named(term.strip()).values_list("pk", flat=True))
        if not ids and is_part_of_id(term):
            return of_id(rows, term), False
        return rows.filter(pk__in=ids), False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        rows: QuerySet[Person] = super().get_queryset(request)
        return rows.prefetch_related("suspensions")

    def has_act_permission(self, request: HttpRequest) -> bool:
        rights = ("operations.message_person", "operations.suspend_person")
        return any(map(request.user.has_perm, rights))

    @admin.action(description="Act on them…", permissions=["act"])
    def act_on_them(self, _request: HttpRequest, rows: QuerySet[Person]) -> HttpResponse:
        """Leads to a page that shows what will happen to each."""
        ids = [("id", str(pk)) for pk in rows.values_list("pk", flat=True)]
        return redirect(f"{reverse('admin:several_people')}?{urlencode(ids)}")

    @admin.display(description="standing")
    def standing(self, person: Person) -> str:
        return standing_of(person)

    def own_page(self, request: HttpRequest, person: Person) -> HttpResponse:
        context = self.admin_site.each_context(request) | _context(request, person)
        return TemplateResponse(request, "admin/operators/person.html", context)

    def act_page(self, request: HttpRequest, user_id: UUID, what: str) -> HttpResponse:
        right, user = RIGHTS.get(what), User.objects.filter(pk=user_id).first()
        if right is None or user is None:
            raise Http404
        operator = cast("User", request.user)
        if not operator.has_perm(right) or not operator.outranks(user):
            raise PermissionDenied
        if request.method == "POST":
            return _act(request, user, what)
        return redirect(person_page(user_id))


def person_page(user_id: UUID) -> str:
    return reverse("admin:operations_person_change", args=[user_id])


def _act(request: HttpRequest, user: User, what: str) -> HttpResponse:
    try:
        by = Actor.of(cast("User", request.user), request.POST.get("reason", ""))
        if what != "export" or user.pk != by.id:
            refereeing.check_person(user.pk, by)
        if what == "export":
            data = people.personal_data(user_id=user.pk, by=by)
            body = json.dumps(data, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False)
            headers = {"Content-Disposition": f'attachment; filename="{user.pk}.json"'}
            return HttpResponse(body, content_type="application/json", headers=headers)
        messages.success(request, _ACTS[what](request, user, by))
    except Refusal as refused:
        messages.error(request, str(refused))
    return redirect(person_page(user.pk))


def _suspend(request: HttpRequest, user: User, by: Actor) -> str:
    resigns = request.POST.get("seats") == "resign"
    return undoing.suspend(user_id=user.pk, by=by, until=_until(request), resigns=resigns)


def _until(request: HttpRequest) -> datetime | None:
    """The end that was chosen; none: for good."""
    days = request.POST.get("days", "")
    return timezone.now() + timedelta(days=number_of(days)) if days else None


def number_of(days: str) -> int:
    number = int(days) if days.isdecimal() and len(days) <= len(str(MOST_DAYS)) else 0
    if not 0 < number <= MOST_DAYS:
        raise people.CannotSuspend(f"Name 1 to {MOST_DAYS} days, or none for good.")
    return number


def _erase(request: HttpRequest, user: User, by: Actor) -> str:
    """The operator types the name, because after a day this cannot be undone."""
    if request.POST.get("username", "").strip() != user.username:
        raise people.WrongName(f"Type the username {user.username} to erase this person.")
    return undoing.begin_erasure(user_id=user.pk, by=by)


_ACTS: dict[str, Callable[[HttpRequest, User, Actor], str]] = {
    "suspend": _suspend,
    "lift": lambda _, user, by: people.lift(user_id=user.pk, by=by),
    "silence": lambda request, user, by: speaking.silence(
        user_id=user.pk, by=by, until=_until(request)
    ),
    "unsilence": lambda _, user, by: speaking.lift_silence(user_id=user.pk, by=by),
    "note": lambda _, user, by: people.note(user_id=user.pk, by=by),
    "message": lambda request, user, by: people.message(
        user_id=user.pk, by=by, text=request.POST.get("text", "")
    ),
    "erase": _erase,
}


def _context(request: HttpRequest, person: Person) -> dict[str, Any]:
    user = cast("User", request.user)
    below = user.outranks(person) and user.pk != person.pk
    seats = Seat.objects.filter(user_id=person.pk).select_related("match").order_by("-match_id")
    seats = seats.defer("match__state", "match__loaded", "match__seed", "match__options")
    readable = ExpressionWrapper(
        finding.open_to(user, request.session, "match"), output_field=BooleanField()
    )
    entries = Entry.objects.filter(subject_type="person", subject_id=str(person.pk))
    friends, keys, silences, privacy, reports, notes, notices, newest, undoable = together.read(
        Count(friendships_of(person.pk).filter(state="accepted")),
        Count(person.keys.all()),
        silences_of(person.pk)[:1],
        Privacy.objects.filter(account=person.pk),
        _reports(person, user)[:ROWS_SHOWN],
        person.notes.all()[:ROWS_SHOWN],
        person.notices.all()[:ROWS_SHOWN],
        entries[:ROWS_SHOWN],
        undoing.standing(person.pk)[:1],
    )
    return {
        "title": person.display_name,
        "person": person,
        "standing": standing_of(person),
        "suspended": any(one.lifted_at is None for one in person.suspensions.all()),
        "silenced": silences[0] if silences else None,
        "friends": friends,
        "privacy": privacy[0] if privacy else None,
        "seats": list(seats.annotate(is_open=readable)[:ROWS_SHOWN]),
        "reports": reports,
        "notes": notes,
        "notices": notices,
        "addresses": _addresses(person),
        "entries": newest,
        "all_entries": entries_about("person", person.pk),
        "key_count": keys,
        "may": {what for what, right in RIGHTS.items() if below and user.has_perm(right)},
        "undoable": [row for row in undoable if below and undoing.may_undo(user, row)],
    }


def _reports(person: Person, reader: User) -> QuerySet[PlayerReport]:
    """Empty for the person themselves: nobody reads who reported them."""
    return PlayerReport.objects.filter(reported_id=person.pk).exclude(reported_id=reader.pk)


def _addresses(person: Person) -> list[tuple[str, datetime, list[str]]]:
    """The addresses from which the person signed in lately, and who else signed in from there.

    Before they joined somebody else may have had their name.
    """
    username, joined = person.username, person.date_joined
    by_name = AccessLog.objects.filter(username__iexact=username, attempt_time__gte=joined)
    own = by_name.order_by("-attempt_time")
    last: dict[str, datetime] = {}
    for address, at in own.values_list("ip_address", "attempt_time")[:100]:
        if address:
            last.setdefault(address, at)
    others: dict[str, set[str]] = {address: set() for address in last}
    shared = AccessLog.objects.filter(ip_address__in=list(last)).exclude(username__iexact=username)
    for address, name in shared.values_list("ip_address", "username").distinct()[:200]:
        others[str(address)].add(str(name))
    return [(address, at, sorted(others[address])) for address, at in last.items()]
