"""The family tree of a match: who finds which relative, how large trees fold, and its drawing."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.uuid7 import uuid7
from games.matches.folding import fold
from games.matches.loading import load
from games.matches.models import Match, Round, Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.lineage import FamilyMember, closed_scores_of_each, family_of
from games.matches.selectors.lists import closed_scores
from games.web.family import (
    LONGEST_PATH,
    MATCHES_DRAWN,
    OF_ANOTHER,
    OF_THE_MATCH,
    ROW_HEIGHT,
    drawn,
    family_tree,
)
from games.web.feeds import MATCHES_PER_PAGE, Cursor, HistoryFilter, history_page
from tests.matches.scenes import now, opened, played, played_to_round, resigned, short
from tests.web.browsing import Browser, signed_in


def member(parent=None, *, hidden=False, loaded_in=1) -> FamilyMember:
    return FamilyMember(uuid7(), parent and parent.id, loaded_in, may_find=not hidden)


def shape(knot):
    """The tree as nested lists of ids."""
    return [knot.id, *map(shape, knot.children)]


class TestTree:
    def test_each_hangs_on_what_it_was_loaded_from(self):
        root = member()
        one, other = member(root), member(root)
        below = member(one)
        tree = family_tree([root, one, other, below], below.id)
        assert shape(tree) == [root.id, [one.id, [below.id]], [other.id]]

    def test_a_hidden_leaf_is_not_there(self):
        root = member()
        tree = family_tree([root, member(root, hidden=True)], root.id)
        assert (shape(tree), tree.more) == ([root.id], 0)

    def test_hidden_ones_between_others_are_one_knot_without_a_name(self):
        root = member()
        first = member(root, hidden=True)
        second = member(first, hidden=True)
        below = member(second)
        tree = family_tree([root, first, second, below], below.id)
        assert shape(tree) == [root.id, [None, [below.id]]]

    def test_the_match_itself_is_shown_to_who_has_its_address(self):
        root = member(hidden=True)
        assert shape(family_tree([root], root.id)) == [root.id]

    def test_many_loads_are_counted(self):
        root = member()
        loads = [member(root) for _ in range(OF_THE_MATCH + 7)]
        tree = family_tree([root, *loads], root.id)
        assert (len(tree.children), tree.more) == (OF_THE_MATCH, 7)
        elsewhere = family_tree([root, *loads], loads[0].id)
        assert elsewhere.children[0].id == loads[0].id
        assert (len(elsewhere.children), elsewhere.more) == (OF_ANOTHER + 1, 26)

    def test_a_long_way_up_is_shortened(self):
        line = [member()]
        for _ in range(400):
            line.append(member(line[-1]))
        tree = family_tree(line, line[-1].id)
        drawn_ids = [knot.id for knot in tree.walk()]
        assert len(drawn_ids) == LONGEST_PATH + 1
        assert drawn_ids[0] == line[0].id
        assert drawn_ids[-1] == line[-1].id
        assert tree.children[0].skipped == 401 - len(drawn_ids)

    def test_no_more_than_so_many_are_drawn(self):
        everybody = [member()]
        for each in list(everybody):
            everybody += [member(each) for _ in range(20)]
        for each in everybody[1:21]:
            everybody += [member(each) for _ in range(20)]
        tree = family_tree(everybody, everybody[0].id)
        assert len(list(tree.walk())) <= MATCHES_DRAWN

    def test_a_deep_family_needs_no_stack(self):
        line = [member()]
        for _ in range(3000):
            line.append(member(line[-1]))
        assert len(list(family_tree(line, line[0].id).walk())) <= MATCHES_DRAWN


class TestDrawing:
    def test_the_first_load_stands_straight_below_and_others_beside(self):
        root = member()
        one, other = member(root), member(root)
        rows = drawn(family_tree([root, one, other], one.id), {}, one.id, None).rows
        assert [row.column for row in rows] == [0, 1, 0]
        assert [row.y - rows[0].y for row in rows] == [0, ROW_HEIGHT, 2 * ROW_HEIGHT]
        assert rows[2].way.startswith(f"M{rows[0].x}")
        assert "V" in rows[2].way
        assert "Q" in rows[1].way


@pytest.fixture
def loaded(ada):
    """Ada's match and one loaded from its second deal, with new cards."""
    parent = played_to_round(opened(ada, "me, bot greedy"), 2)
    return parent, load(match_id=parent.id, user=ada, cards="reshuffled", round=2)


class TestPage:
    def test_both_are_links_with_the_save(self, ada, loaded):
        parent, child = loaded
        page = signed_in(ada).open(f"/matches/{child.id}/family").page
        drawing = page.split('class="family-tree"')[1].split("</svg>")[0]
        assert re.findall(r'href="/matches/([\w-]+)"', drawing) == [str(parent.id), str(child.id)]
        assert "Deal 2 · being played, deal 2" in unescape(drawing)
        assert drawing.count('aria-current="page"') == 1
        assert page.count(f'href="/matches/{parent.id}"') == 2  # drawn, and in the list

    def test_the_table_leads_there(self, ada, loaded):
        parent, child = loaded
        for match in (parent, child):
            page = signed_in(ada).open(f"/matches/{match.id}").page
            assert f"/matches/{match.id}/family" in page
        alone = opened(ada)
        assert "/family" not in signed_in(ada).open(f"/matches/{alone.id}").page

    def test_who_won_and_when(self, ada, loaded):
        _parent, child = loaded
        resigned(child, 0)
        text = unescape(signed_in(ada).open(f"/matches/{child.id}/family").page)
        assert "Greedy won" in text

    def test_one_alone_says_so(self, ada):
        match = opened(ada)
        page = signed_in(ada).open(f"/matches/{match.id}/family")
        assert "Nothing has been loaded from this match." in page.text

    def test_so_many_questions_to_the_database_however_large(self, ada, loaded):
        _parent, child = loaded
        browser = signed_in(ada)
        browser.open(f"/matches/{child.id}/family")  # its first use is recorded
        with CaptureQueriesContext(connection) as few:
            browser.open(f"/matches/{child.id}/family")
        for _ in range(4):
            load(match_id=child.id, user=ada, cards="reshuffled", round=2)
        with CaptureQueriesContext(connection) as many:
            browser.open(f"/matches/{child.id}/family")
        print(f"queries of the page of a family: {len(few)}")
        assert len(many) == len(few) <= 9


class TestWhoseSecret:
    def test_others_do_not_find_the_page_of_a_private_match(self, ada, ben, loaded):
        parent, child = loaded
        Match.objects.filter(id=child.id).update(visibility="private")
        assert signed_in(ben).open(f"/matches/{child.id}/family").status == 404
        page = signed_in(ben).open(f"/matches/{parent.id}/family")
        assert page.status == 200
        assert str(child.id) not in page.page

    def test_nobody_learns_an_address_that_was_not_given_away(self, ada, ben, loaded):
        """An unlisted match is for those who have its address; no family gives it away."""
        parent, child = loaded
        Match.objects.filter(id=parent.id).update(visibility="public")
        assert str(child.id) not in signed_in(ben).open(f"/matches/{parent.id}/family").page
        Match.objects.filter(id=child.id).update(visibility="public")
        assert str(child.id) in signed_in(ben).open(f"/matches/{parent.id}/family").page

    def test_who_sits_there_or_is_invited_finds_it(self, ada, ben, cleo, loaded):
        parent, child = loaded
        Match.objects.filter(id=child.id).update(visibility="private")
        Seat.objects.filter(match_id=child.id, index=1).update(
            kind="open", bot="", invited=ben, declined=""
        )
        found = {each.id for each in family_of(parent.id, ben.id) if each.may_find}
        assert child.id in found
        assert child.id not in {e.id for e in family_of(parent.id, cleo.id) if e.may_find}
        Seat.objects.filter(match_id=child.id, index=1).update(declined="time")
        assert child.id not in {e.id for e in family_of(parent.id, ben.id) if e.may_find}

    def test_a_hidden_one_between_has_no_address(self, ada, ben, loaded):
        parent, child = loaded
        on = played(child, child.version + 4)
        below = load(match_id=on.id, user=ada, cards="reshuffled", version=on.version)
        Match.objects.filter(id__in=[parent.id, below.id]).update(visibility="public")
        Match.objects.filter(id=child.id).update(visibility="private")
        page = signed_in(ben).open(f"/matches/{now(below).id}/family").page
        assert "A match that is not yours to see" in page
        assert str(child.id) not in page
        assert str(parent.id) in page


# The own finished matches as a list: by day, with opponents, results, turning points, filters.


def listed(page: str) -> list[str]:
    return re.findall(r'class="history-match" href="/matches/([\w-]+)"', page)


def over(user, seats="me, bot greedy", game="pisti", **more):
    return resigned(opened(user, seats, game, **more), 0)


class TestList:
    def test_a_visitor_has_none_and_is_shown_how_to_begin(self, stranger):
        page = stranger.open("/history")
        assert (page.status, listed(page.page)) == (200, [])
        assert "Start one" in page.text

    def test_the_last_one_first_by_day(self, ada, at_home):
        old, new = over(ada), over(ada)
        Match.objects.filter(id=old.id).update(finished_at=old.finished_at - timedelta(days=1))
        page = at_home.open("/history")
        assert listed(page.page) == [str(new.id), str(old.id)]
        assert re.findall(r"<h2>(\w+)</h2>", page.page) == ["Today", "Yesterday"]

    def test_opponents_result_and_score(self, ada, at_home):
        match = played(short(ada, "pisti", "me, bot greedy"))
        page = at_home.open("/history").text
        own, other = match.outcome.points
        assert "Greedy" in page
        assert f"{own} : {other}" in page
        assert ("won" if own > other else "lost") in page

    def test_the_turning_point(self, ada, at_home):
        match = over(ada)
        for number, scores in enumerate([(3, 9), (20, 1), (5, 4)], start=1):
            Round.objects.update_or_create(
                match_id=match.id,
                number=number,
                defaults={
                    "scores": list(scores),
                    "opening_version": number,
                    "opening_state": b"{}",
                    "decks": b"[]",
                    "closed_at": match.finished_at,
                },
            )
        assert "Deal 2: Ada took the lead for good." in at_home.open("/history").text

    def test_others_matches_and_running_ones_are_not_in_it(self, ada, ben, at_home):
        over(ben, visibility="public")
        opened(ada, "me, bot greedy")
        assert listed(at_home.open("/history").page) == []

    def test_links_to_replay_picture_and_once_more(self, ada, at_home):
        match = played(short(ada, "pisti", "me, bot greedy"))
        page = at_home.open("/history")
        assert f"/matches/{match.id}?ply=0" in page.page
        assert f"/matches/{match.id}/share.png" in page.page
        page.press("Again")
        assert get_match(page.match_id).previous_id == match.id

    def test_a_name_is_no_markup(self, ada, at_home):
        match = over(ada)
        Seat.objects.filter(match_id=match.id, index=1).update(name="<b>x</b>")
        assert "<b>x</b>" not in at_home.open("/history").page


def test_a_match_of_a_game_that_is_not_installed_is_in_the_list(ada, at_home):
    match = over(ada)
    Match.objects.filter(id=match.id).update(game="durak")
    page = at_home.open("/history").page
    assert listed(page) == [str(match.id)]
    assert "share.png" not in page
    assert at_home.open(f"/matches/{match.id}/family").status == 200
    assert at_home.open(f"/matches/{match.id}/share.svg").status == 409


class TestFilter:
    def test_by_game(self, ada, at_home):
        match = over(ada, game="pyanitsa", seats="me, local Ben")
        over(ada)
        assert listed(at_home.open("/history?game=pyanitsa").page) == [str(match.id)]

    def test_by_opponent(self, ada, at_home):
        match = over(ada, "me, bot counter")
        over(ada)
        assert listed(at_home.open("/history?opponent=COUN").page) == [str(match.id)]
        assert 'value="Counter"' in at_home.open("/history").page

    def test_the_own_name_is_no_opponent(self, ada, at_home):
        over(ada)
        assert listed(at_home.open("/history?opponent=ada").page) == []

    def test_by_result(self, ada, at_home):
        lost, won, drawn = over(ada), over(ada), over(ada)
        Seat.objects.filter(match_id=won.id, index=0).update(place=1)
        Seat.objects.filter(match_id=won.id, index=1).update(place=2)
        Seat.objects.filter(match_id=drawn.id).update(place=1)
        for result, match in (("lost", lost), ("won", won), ("drawn", drawn)):
            page = at_home.open(f"/history?result={result}").page
            assert listed(page) == [str(match.id)], result
            assert f"is-{result}" in page

    @pytest.mark.parametrize(
        "query",
        ["game=bridge", "result=x", "before=zz", "before=ffffffffffffffffff-0", "opponent=%20"],
    )
    def test_nonsense_is_no_filter(self, ada, at_home, query):
        match = over(ada)
        assert listed(at_home.open(f"/history?{query}").page) == [str(match.id)]

    def test_one_that_finds_nothing_says_so(self, ada, at_home):
        over(ada)
        assert "No match of yours is like that." in at_home.open("/history?opponent=nobody").text


class TestPages:
    @pytest.fixture
    def many(self, ada):
        first = over(ada)
        seats = list(Seat.objects.filter(match_id=first.id))
        row = Match.objects.get(id=first.id)
        for n in range(1, 2 * MATCHES_PER_PAGE + 3):
            at = first.finished_at - timedelta(minutes=n // 2)  # two at the same time
            copy = Match(**{f.attname: getattr(row, f.attname) for f in Match._meta.fields[1:]})
            copy.finished_at = at
            copy.save()
            for seat in seats:
                Seat.objects.create(match=copy, **{
                    f.attname: getattr(seat, f.attname)
                    for f in Seat._meta.fields if f.name not in ("id", "match")
                })  # fmt: skip

    def test_every_match_is_on_one_page(self, many, at_home):
        seen, address = [], "/history"
        while address:
            page = at_home.open(address).page
            seen += listed(page)
            older = re.search(r'rel="next" href="([^"]+)"', page)
            address = older[1].replace("&amp;", "&") if older else ""
        assert len(seen) == len(set(seen)) == 2 * MATCHES_PER_PAGE + 3

    def test_a_filter_is_kept_on_the_next_page(self, many, at_home):
        page = at_home.open("/history?game=pisti").page
        assert "/history?game=pisti&amp;before=" in page

    def test_a_page_of_many_asks_no_more_often(self, ada, at_home, many):
        at_home.open("/history")  # its first use is recorded
        with CaptureQueriesContext(connection) as full:
            at_home.open("/history")
        Match.objects.exclude(id__in=Match.objects.order_by("id")[:2]).update(status="aborted")
        with CaptureQueriesContext(connection) as few:
            at_home.open("/history")
        print(f"queries of the page of the own matches: {len(full)}")
        assert len(full) == len(few) <= 11

    def test_loaded_and_folded_matches_cost_three_more(self, ada):
        for _ in range(2):
            match = played(short(ada, "pisti", "me, local Twin"))
            loaded = resigned(load(match_id=match.id, user=ada, cards="reshuffled", round=1), 0)
            assert fold(match.id)
            assert fold(loaded.id)
        with CaptureQueriesContext(connection) as asked:
            history_page(ada.id, HistoryFilter())
        assert len(asked) <= 7

    def test_the_scores_of_many_are_those_of_each(self, ada):
        """Also of a loaded match, whose past its parent stores, and of folded ones."""
        parent = played_to_round(opened(ada, "me, local Twin"), 3)
        loaded = played_to_round(load(match_id=parent.id, user=ada, cards="same", round=2), 4)
        twice = load(match_id=loaded.id, user=ada, cards="reshuffled", round=3)
        ids = [resigned(now(match), 0).id for match in (twice, loaded, parent)]
        alone = over(ada)
        assert fold(alone.id)
        for stored in ("as rows", "folded"):
            rows = list(Match.objects.filter(id__in=[*ids, alone.id]))
            many = closed_scores_of_each(rows)
            for row in rows:
                assert many[row.id] == [list(s) for s in closed_scores(get_match(row.id))], row
            assert len(many[ids[0]]) == 2
            if stored == "as rows":
                assert all(map(fold, ids))


class TestCursor:
    def test_it_is_read_as_it_was_written(self, ada):
        match = over(ada)
        cursor = Cursor(match.finished_at, match.id)
        assert Cursor.read(str(cursor)) == cursor


def test_a_guest_has_a_history(db):
    browser = Browser()
    browser.open("/").press("Play now")
    assert browser.open("/history").status == 200


def test_nobody_sees_anothers(ada, ben):
    over(ada, visibility="private")
    assert listed(signed_in(ben).open("/history").page) == []
