"""The deals of today, the results of a day, and the form that begins a match."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.signing_in.signed_in import account_of
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.daily import playing
from games.daily.models import DailyDeal, Entry
from games.daily.refusals import NoSuchDeal
from games.daily.results import Own, Results, own_result, results_of
from games.daily.selectors import (
    ONE_DAY,
    admission,
    day_of,
    deals_of,
    entries_of,
    find_deal,
    streak_of,
    today,
)
from games.web.daily.plot import Plot, plot_of
from games.web.daily.scores import computer_name, computers, score_words
from games.web.parts.visitor import once, user_id


@dataclass(frozen=True)
class DealPage:
    """A deal as one reader sees it."""

    daily: DailyDeal
    entry: Entry | None
    reader: UUID | None

    @property
    def game(self) -> AnyGame:
        return catalog.find(self.daily.game)

    @property
    def computers(self) -> str:
        return ", ".join(computers(self.daily))

    @cached_property
    def own(self) -> Own | None:
        return own_result(self.entry) if self.entry else None

    @property
    def own_score(self) -> str:
        score = self.own.score if self.own else None
        return "" if score is None else score_words(self.daily, score)

    @cached_property
    def results(self) -> Results | None:
        return results_of(self.daily, self.reader)

    @property
    def own_place(self) -> int | None:
        if self.results is None or self.own is None or self.own.score is None:
            return None
        return self.results.place_of(self.own.score)

    @property
    def lines(self) -> list[tuple[int, User, str]]:
        if self.results is None:
            return []
        return [(n.place, n.person, score_words(self.daily, n.score)) for n in self.results.lines]

    @cached_property
    def plot(self) -> Plot | None:
        return plot_of(self.results, self.own.score if self.own else None) if self.results else None

    @property
    def rows(self) -> list[tuple[str, str, object]]:
        """Whose scores, on average, and how they are drawn."""
        if self.plot is None:
            return []
        return [
            (computer_name(self.daily, row.bot) if row.bot else "", self._mean(row.mean), row)
            for row in self.plot.rows
        ]

    def _mean(self, mean: float) -> str:
        sign = "" if self.game.points_are_places else "−" if mean < 0 else "+"
        return sign + number_format(abs(mean), 1)

    @property
    def low(self) -> str:
        return score_words(self.daily, self.plot.low) if self.plot else ""

    @property
    def high(self) -> str:
        return score_words(self.daily, self.plot.high) if self.plot else ""

    @property
    def seed(self) -> str:
        return bytes(self.daily.deal.seed).hex() if self.daily.is_over else ""


@never_cache
@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    day, reader = today(), user_id(request)
    user = account_of(request)
    deals = deals_of(day)
    context = {
        "day": day,
        "pages": _pages(deals, reader),
        "yesterday": _pages(deals_of(day - ONE_DAY), reader),
        "tomorrow": [(catalog.find(one.game), one.deal) for one in deals_of(day + ONE_DAY)],
        "ends_at": deals[0].ends_at if deals else None,
        "admission": admission(user, day),
        "streak": streak_of(user.pk) if user else None,
    }
    return render(request, "games/daily/overview.html", context)


def _pages(deals: list[DailyDeal], reader: UUID | None) -> list[DealPage]:
    entries = entries_of(reader, deals)
    return [DealPage(one, entries.get(one.pk), reader) for one in deals]


@never_cache
@require_GET
def deal_page(request: HttpRequest, day: str, game: str) -> HttpResponse:
    try:
        daily = find_deal(day_of(day), game)
    except NoSuchDeal:
        raise Http404("There is no such deal of the day.") from None
    (page,) = _pages([daily], user_id(request))
    context = {"page": page, "before": daily.day - ONE_DAY, "after": _after(daily)}
    if daily.day == today():
        context["admission"] = admission(account_of(request), daily.day)
    return render(request, "games/daily/deal.html", context)


def _after(daily: DailyDeal) -> object:
    return daily.day + ONE_DAY if daily.day < today() else None


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Begins the one match of today, or one for practice; a visitor becomes a guest for that."""
    game, day = request.POST.get("game", ""), request.POST.get("day", "")
    if day:
        practised = day_of(day)
        match_id = once(request, lambda u: playing.practise(user=u, day=practised, game=game).id)
        return redirect("table", match_id)
    if not isinstance(request.user, User):
        return redirect("account_login")
    match, _ = playing.play(user=request.user, game=game)
    return redirect("table", match.id)
