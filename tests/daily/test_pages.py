"""The pages of the deal of the day, by forms alone; its API; the picture to share; the plot."""

from uuid import UUID

import pytest
from django.test import Client

from games.daily import playing
from games.daily.models import ComputerScores, DailyDeal, Entry
from games.daily.selectors import Results, today
from games.matches.selectors.access import get_match
from games.web.daily import WIDTH, plot_of
from tests.api.calls import refused
from tests.conftest import BACKEND
from tests.daily.days import ONE_DAY, begin, begun, deal, over, to_its_end
from tests.matches.scenes import played
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db


def test_a_day_by_forms_alone(settings, ada, ben):
    begun(settings, ada, ben)
    browser = signed_in(ada).open("/daily")
    assert "Ends: " in browser.text
    assert all(one.deal.commitment in browser.page for one in tomorrow())
    browser.press("Play the Pişti of the day")
    match = UUID(browser.match_id)
    assert "Play on" in browser.open("/daily").text
    assert "Play on" in browser.open(f"/daily/{today()}/pisti").text
    assert "/daily" in browser.open(f"/matches/{match}").page.partition('class="card about"')[2]
    played(get_match(match))
    assert 'class="button quiet" href="/daily"' in browser.open(f"/matches/{match}").page
    page = browser.open(f"/daily/{today()}/pisti")
    assert "Picture to share" in page.text
    assert "How others did is shown when the day is over" in page.text
    assert "The best of the day" not in page.text
    over()
    ComputerScores.objects.create(daily=deal(), bot="greedy", scores=[-5, 3, 3, 40])
    page = signed_in(ben).open(f"/daily/{deal().day}/pisti")
    assert "The best of the day" in page.text
    assert "Ada" in page.text
    assert bytes(deal().deal.seed).hex() in page.page
    assert page.page.count('class="daily-bar') == 4
    page.open(f"/matches/{match}?ply=0")
    assert page.status == 200


def tomorrow():
    return DailyDeal.objects.filter(day=today() + ONE_DAY).select_related("deal")


def test_a_visitor_practises_yesterday(settings):
    begun(settings)
    playing.reveal()
    browser = Browser().open("/daily")
    assert "As a guest you can practise" in browser.text
    assert "If you sign up and play" in browser.text or "opens to you" in browser.text
    browser.press("Practise this deal of Pazaak")
    assert browser.status == 200
    assert browser.address.startswith("/matches/")
    assert not Entry.objects.exists()


def test_a_new_account_is_told_why(settings, ada):
    settings.DAILY_FINISHED_MATCHES = 5
    playing.publish()
    browser = signed_in(ada).open("/daily")
    tomorrow = today() + ONE_DAY
    for page in (browser.page, signed_in(ada).open(f"/daily/{today()}/pisti").page):
        assert f'It opens to you on <time datetime="{tomorrow}T00:00:00+00:00" data-local>' in page
        assert "once you have played 5 more matches to their end." in page
    assert "of the day" not in [button[2] for form in browser.forms for button in form.buttons]
    sent = Client(enforce_csrf_checks=False)
    sent.force_login(ada, BACKEND)
    assert sent.post("/daily/play", {"game": "pisti"}).status_code == 403
    assert sent.post("/daily/play", {"game": "pisti", "day": "x"}).status_code == 404
    assert sent.post("/daily/play", {"game": "x"}).status_code == 404


@pytest.mark.parametrize("path", ["x/pisti", "2000-01-01/pisti", "{tomorrow}/pisti", "{today}/x"])
def test_a_day_that_is_not_there(settings, path):
    begun(settings)
    path = path.format(today=today(), tomorrow=today() + ONE_DAY)
    assert Client().get(f"/daily/{path}").status_code == 404
    refused(Client().get(f"/api/v1/daily/{path}"), "not_found")


def test_the_picture(settings, ada):
    begun(settings, ada)
    to_its_end(ada)
    address = f"/daily/{Entry.objects.get().pk}.png"
    for _ in range(2):  # before and after the end of the day
        answer = Client().get(address)
        assert answer["Content-Type"] == "image/png"
        assert answer.content.startswith(b"\x89PNG")
        over()
    Entry.objects.all().delete()  # as an erasure does
    assert Client().get(address).status_code == 404


def test_there_is_no_picture_of_what_is_not_over(settings, ada):
    begun(settings, ada)
    begin(ada)
    assert Client().get(f"/daily/{Entry.objects.get().pk}.png").status_code == 404


def test_the_plot_has_one_scale():
    results = Results({4: 2, -100: 1}, {"greedy": {100: 3}}, [], None)
    plot = plot_of(results, 4)
    assert (plot.low, plot.high) == (-100, 100)
    assert [row.matches for row in plot.rows] == [3, 3]
    bars = [bar for row in plot.rows for bar in row.bars]
    assert all(bar.x >= 0 and bar.x + bar.width <= WIDTH for bar in bars)
    assert plot.rows[0].mean == pytest.approx((8 - 100) / 3)
    assert 0 < plot.mark < WIDTH
    assert plot_of(Results({}, {}, [], None), None) is None


def test_one_score_fills_the_plot():
    plot = plot_of(Results({2: 5}, {}, [], None), None)
    (bar,) = plot.rows[0].bars
    assert (bar.x, bar.width) == (0, WIDTH)
    assert plot.mark is None
