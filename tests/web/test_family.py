"""The family tree of a match: who finds which relative, how large trees fold, and its drawing."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.uuid7 import uuid7
from games.matches.loading import load
from games.matches.models import Match, Seat
from games.matches.selectors.lineage import FamilyMember, family_of
from games.web.family import (
    LONGEST_PATH,
    MATCHES_DRAWN,
    OF_ANOTHER,
    OF_THE_MATCH,
    ROW_HEIGHT,
    drawn,
    family_tree,
)
from tests.matches.scenes import now, opened, played, played_to_round, resigned
from tests.web.browsing import signed_in


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
