"""The table by forms alone: playing, refusals, what the page tells and what it keeps."""

import re
from datetime import timedelta

import pytest

from cardroom.rules import catalog
from games.lobby import rematches
from games.matches import bot_turns, joining, overdue
from games.matches.models import Match
from games.matches.selectors.access import get_match
from tests.matches.scenes import move, now, opened, played, played_to_round, resigned, short
from tests.web.browsing import alerts_of, signed_in

FACE = re.compile(r'data-card="(\w\w)"')


def shown_cards(browser):
    """Every card whose face lies on the table; the past is told by words and in a template."""
    table = re.sub(r"<template.*?</template>", "", browser.page, flags=re.DOTALL)
    return set(FACE.findall(table))


def let_bots_move(match):
    while now(match).awaits_bot:
        bot_turns.play_bot_turns(match_id=match.id, version=now(match).version)


def test_a_guest_plays_a_whole_deal(stranger):
    """From the landing page on, with nothing but forms."""
    stranger.open("/").press("Play Pişti now")
    match = get_match(Match.objects.get().id)
    while not now(match).is_over:
        let_bots_move(match)
        stranger.open(stranger.address)
        if not now(match).is_over:
            assert stranger.moves, stranger.text
            stranger.press(stranger.moves[0])
            assert stranger.status == 200
    let_bots_move(match)
    stranger.open(stranger.address)
    assert now(match).version >= 48
    assert "Play a whole match" in stranger.text
    assert "Load with new cards" in stranger.page


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_every_quick_match_is_playable(stranger, game):
    stranger.open("/").press(f"Play {catalog.find(game).name} against the computer")
    match = get_match(Match.objects.get().id)
    let_bots_move(match)
    stranger.open(stranger.address)
    before = now(match).version
    stranger.press(stranger.moves[0])
    assert now(match).version > before


class TestRefusals:
    def test_a_card_not_held_leaves_the_table(self, ada, at_home):
        match = opened(ada, "me, bot greedy")
        at_home.open(f"/matches/{match.id}")
        missing = next(c for c in ("2C", "3C", "4C", "5C", "6C") if c not in at_home.moves)
        at_home.press(at_home.moves[0], move=missing)
        assert "You do not hold" in at_home.text
        assert now(match).version == 0
        assert len(at_home.moves) == 4

    def test_an_old_page_shows_the_table_as_it_stands(self, ada, at_home):
        match = opened(ada)
        at_home.open(f"/matches/{match.id}").press("show my cards")
        card = at_home.moves[0]
        move(match)
        at_home.press(card)
        assert "went on in the meantime" in at_home.text
        assert now(match).version == 1

    @pytest.mark.parametrize("said", ["", "9" * 12, "-1", "x"])
    def test_a_broken_version_changes_nothing(self, ada, at_home, said):
        match = move(opened(ada, "me, local Twin"), seat=0)
        at_home.open(f"/matches/{match.id}").press("show my cards")
        at_home.press(at_home.moves[0], version=said)
        assert at_home.status == 200
        assert now(match).version == 1

    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_a_form_without_its_move_says_so_in_words(self, ada, at_home, game):
        """Not in the notation, which is for programs."""
        match = opened(ada, "me, local Twin", game)
        at_home.open(f"/matches/{match.id}")
        if not at_home.moves:
            at_home.press("show my cards")
        for text in ("", "nonsense", "swap", "collect", "2C 2C", "blind"):
            at_home.press(at_home.moves[-1], move=text)
            assert at_home.alerts, text
            for grammar in ("&#x27;", "'", "notation", "is no move"):
                assert grammar not in "".join(at_home.alerts)
        assert now(match).version == 0

    def test_a_form_without_its_version_is_an_old_one(self, ada, at_home):
        """Also in a match in which nothing was played yet."""
        match = opened(ada, "me, bot greedy")
        at_home.open(f"/matches/{match.id}")
        at_home.press(at_home.moves[0], version="")
        assert "went on in the meantime" in at_home.text
        assert now(match).version == 0

    def test_ones_partner_is_told_by_colour_and_word(self, ada, ben, at_home, stranger):
        terms = {"players": 4, "teams": True}
        match = opened(ada, "me, open, bot greedy, bot greedy", options=terms)
        assert at_home.open(f"/matches/{match.id}").text.count("your partner") == 1
        assert "team 2" in at_home.text
        joining.join(match_id=match.id, user=ben)
        page = at_home.open(f"/matches/{match.id}").page
        assert page.count("your partner") == 1
        assert [page.count(f" team-{team}") for team in (1, 2)] == [2, 2]
        assert page.index("your partner") > page.index(" team-1")
        watched = stranger.open(f"/matches/{match.id}").text
        assert "your partner" not in watched
        assert "team 1" in watched
        alone = opened(ada, "me, bot greedy")
        assert " team-" not in at_home.open(f"/matches/{alone.id}").page

    def test_a_spectator_has_no_moves_and_is_told_so(self, ada, stranger):
        match = opened(ada, "me, bot greedy")
        stranger.open(f"/matches/{match.id}")
        assert stranger.moves == []
        token = next(v for form in stranger.forms for n, v in form.fields if "csrf" in n)
        sent = {"move": "2C", "version": "0", "csrfmiddlewaretoken": token}
        answer = stranger.client.post(f"/matches/{match.id}/move", sent, follow=True)
        assert answer.status_code == 200
        assert alerts_of(answer.content.decode())
        assert now(match).version == 0

    def test_nothing_happens_without_the_token(self, ada):
        match = opened(ada, "me, bot greedy")
        browser = signed_in(ada)
        answer = browser.client.post(f"/matches/{match.id}/move", {"move": "2C", "version": 0})
        assert answer.status_code == 403
        assert "has expired" in answer.content.decode()
        assert now(match).version == 0


class TestSecrets:
    def test_a_private_match_is_not_there_for_others(self, ada, ben, at_home, stranger):
        match = opened(ada, "me, bot greedy", visibility="private")
        assert at_home.open(f"/matches/{match.id}").status == 200
        for browser in (stranger, signed_in(ben)):
            for path in ("", "/news", "/record"):
                assert browser.open(f"/matches/{match.id}{path}").status == 404

    def test_the_other_hand_is_in_no_answer_to_a_poll(self, ada, at_home):
        match = opened(ada, "me, bot greedy")
        at_home.open(f"/matches/{match.id}/news?shown=other")
        other = {match.rules.card_text(card) for card in match.state.hands[1]}
        assert at_home.status == 200
        assert not shown_cards(at_home) & other


class TestSharedDevice:
    def test_hands_are_hidden_until_somebody_is_there(self, ada, at_home):
        match = opened(ada, "local Ann, local Bob")
        hands = [set(match.rules.view(match.state, seat).hand) for seat in (0, 1)]
        at_home.open(f"/matches/{match.id}")
        assert "Pass the device to Ann" in at_home.text
        assert not shown_cards(at_home) & (hands[0] | hands[1])
        at_home.press("show my cards")
        assert hands[0] <= shown_cards(at_home)
        assert not shown_cards(at_home) & hands[1]
        card = at_home.moves[0]
        at_home.press(card)
        assert "Pass the device to Bob" in at_home.text
        assert at_home.moves == []
        assert shown_cards(at_home) & (hands[0] | hands[1]) == {card}

    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_works_for_every_game(self, ada, at_home, game):
        match = short(ada, game, "local Ann, local Bob")
        at_home.open(f"/matches/{match.id}")
        for _ in range(4):
            if now(match).is_over:
                break
            before = now(match).version
            if not at_home.moves:
                at_home.press("show my cards")
            at_home.press(next(m for m in at_home.moves if m))
            assert now(match).version == before + 1


class TestPolling:
    def test_nothing_new_is_no_content(self, ada, at_home):
        match = opened(ada, "me, bot greedy")
        page = at_home.open(f"/matches/{match.id}").page
        tag = re.search(r'data-tag="([^"]+)"', page)[1]
        assert at_home.open(f"/matches/{match.id}/news?shown={tag}").status == 204
        let_bots_move(move(match))
        at_home.open(f"/matches/{match.id}/news?shown={tag}")
        assert at_home.status == 200
        assert at_home.page.lstrip().startswith('<div id="table-panel"')

    def test_a_seat_taken_is_news(self, ada, ben, cleo, at_home):
        match = opened(ada, "me, open, open", options={"players": 3})
        for friend, waits in ((ben, "one more player"), (cleo, "your turn")):
            page = at_home.open(f"/matches/{match.id}").page
            tag = re.search(r'data-tag="([^"]+)"', page)[1]
            signed_in(friend).open(f"/matches/{match.id}").press("Sit down here")
            at_home.open(f"/matches/{match.id}/news?shown={tag}")
            assert at_home.status == 200
            assert waits in at_home.text.lower()

    @pytest.mark.parametrize(
        ("seats", "waits_for"),
        [("me, bot greedy", "you"), ("bot greedy, me", "bots"), ("me, open", "others")],
    )
    def test_the_page_says_whom_it_waits_for(self, ada, at_home, seats, waits_for):
        match = opened(ada, seats)
        page = at_home.open(f"/matches/{match.id}").page
        assert f'data-waits-for="{waits_for}"' in page
        assert ('http-equiv="refresh"' in page) == (waits_for != "you")

    def test_a_finished_match_waits_for_nobody(self, ada, at_home):
        match = played(short(ada, "pisti"))
        page = at_home.open(f"/matches/{match.id}").page
        assert 'data-waits-for=""' in page
        assert "refresh" not in page

    def test_htmx_gets_the_table_panel_alone(self, ada):
        match = opened(ada, "me, bot greedy")
        client = signed_in(ada).client
        client.handler.enforce_csrf_checks = False
        card = match.rules.legal_moves(match.state, 0)[0]
        sent = {"move": card, "version": 0, "seat": 0}
        answer = client.post(f"/matches/{match.id}/move", sent, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert "<html" not in answer.content.decode()
        assert now(match).version == 1


class TestOver:
    def test_shows_the_score_sheet_record_and_saves(self, ada, at_home):
        match = played(short(ada, "pisti"))
        at_home.open(f"/matches/{match.id}")
        for seat in match.seats:
            assert re.search(rf">{seat.points}<", at_home.page)
        assert f"/matches/{match.id}/record" in at_home.page
        record = at_home.client.get(f"/matches/{match.id}/record")
        assert "attachment" in record["Content-Disposition"]
        assert "Load with the same cards" in at_home.page

    def test_many_sides_have_a_row_each(self, ada, at_home):
        match = opened(ada, "me, bot greedy, bot random", options={"players": 3})
        match = played_to_round(match, 2)
        sheet = at_home.open(f"/matches/{match.id}").page.split("<table")[1].split("</table>")[0]
        rows = re.findall(r"</span>([^<]+)</th>(.*)</tr>", sheet)
        assert [name for name, _ in rows] == match.names
        for seat, (_, cells) in zip(match.seats, rows, strict=True):
            assert re.findall(r">([\d–]+)<", cells) == [str(seat.points)] * 2

    def test_no_record_of_a_running_match(self, ada, at_home):
        match = opened(ada, "me, bot greedy")
        at_home.open(f"/matches/{match.id}/record")
        assert "when the match is over" in at_home.text

    def test_again_opens_the_rematch(self, ada, at_home):
        match = played(short(ada, "pisti"))
        at_home.open(f"/matches/{match.id}").press("Again")
        assert at_home.match_id != str(match.id)
        assert get_match(at_home.match_id).previous_id == match.id

    def test_asking_for_a_rematch_stays_at_the_table(self, ada, ben, at_home):
        match = resigned(joining.join(match_id=opened(ada, "me, open").id, user=ben), 1)
        at_home.open(f"/matches/{match.id}").press("Again")
        assert at_home.match_id == str(match.id)
        assert f"You have asked for a rematch. Waiting for {ben.display_name}." in at_home.text
        assert "data-asked" in at_home.page
        at_home.press("Withdraw")
        assert "Waiting for" not in at_home.text
        at_home.press("Again")
        following = rematches.ask(match_id=match.id, user=ben)
        at_home.press("Withdraw")  # too late
        assert "the next match has begun." in at_home.text
        assert f'data-next="/matches/{following.id}"' in at_home.page
        assert following.id != match.id

    def test_loading_opens_another_match(self, ada, at_home):
        match = played_to_round(opened(ada, "me, bot greedy"), 2)
        version = match.version
        at_home.open(f"/matches/{match.id}").press("Load with the same cards", round="2")
        loaded = get_match(at_home.match_id)
        assert (loaded.parent_id, loaded.rated) == (match.id, False)
        assert now(match).version == version

    def test_saves_are_a_list_with_score_and_words(self, ada, at_home):
        match = opened(ada, "me, local Twin", options={"target_score": 1000})
        match = played_to_round(match, 12)
        at_home.open(f"/matches/{match.id}")
        assert "Deals 11–12" in at_home.text
        assert "Deals 1–10" in at_home.text
        points = [seat.points for seat in match.seats]
        assert f'save-score">{points[0]} : {points[1]}<' in at_home.page
        ahead = match.names[points.index(max(points))]
        assert points[0] == points[1] or f"{ahead} was ahead" in at_home.text
        assert at_home.page.count('value="reshuffled"') == 1

    def test_the_same_cards_are_not_offered_against_people(self, ada, ben, at_home):
        match = opened(ada, "me, open")
        signed_in(ben).open(f"/matches/{match.id}").press("Sit down here")
        at_home.open(f"/matches/{match.id}")
        assert "Load with new cards" in at_home.page
        assert "with the same cards" not in at_home.page

    def test_resigning_asks_first(self, ada, at_home):
        match = opened(ada, "me, bot greedy")
        at_home.open(f"/matches/{match.id}").press("Yes, resign")
        assert now(match).status == "finished"
        assert "You lost" in at_home.text
        assert "You resigned." in at_home.text
        assert "Ada resigned." not in at_home.text
        assert "Yes, resign" not in at_home.text


class TestWaiting:
    def test_a_stranger_sits_down_and_the_match_begins(self, ada, stranger):
        match = opened(ada, "me, open")
        assert "Send this address" not in stranger.open(f"/matches/{match.id}").text
        assert "Send this address" in signed_in(ada).open(f"/matches/{match.id}").text
        stranger.press("Sit down here")
        assert now(match).status == "active"
        assert "Waiting for Ada" in stranger.text

    def test_a_seat_kept_for_a_player_is_offered_to_nobody_else(self, ada, ben, cleo):
        match = opened(ada, "me, user ben")
        assert "Sit down" in signed_in(ben).open(f"/matches/{match.id}").text
        assert "Sit down" not in signed_in(cleo).open(f"/matches/{match.id}").text

    def test_the_creator_calls_it_off(self, ada, at_home):
        match = opened(ada, "me, open")
        at_home.open(f"/matches/{match.id}")
        assert f"/matches/{match.id}" in at_home.page.split("readonly value=")[1][:120]
        at_home.press("Call the match off")
        assert now(match).status == "aborted"
        assert "was called off" in at_home.text


@pytest.mark.parametrize("on_timeout", ["resign", "bot_move", "bot_takes_over"])
def test_what_the_clock_does_was_not_done_in_another_tab(
    ada, ben, at_home, time_machine, on_timeout
):
    match = opened(ada, "me, open", turn_seconds=60, on_timeout=on_timeout)
    match = joining.join(match_id=match.id, user=ben)
    time_machine.move_to(match.deadline_at + timedelta(seconds=1))
    overdue.resend_overdue()
    assert (now(match).version > match.version) == (on_timeout == "bot_move")
    assert 'data-moved="0"' in at_home.open(f"/matches/{match.id}").page


def test_the_clock_says_what_happens_and_the_seat_is_taken_back(ada, ben, at_home, time_machine):
    terms = {"turn_seconds": 60, "on_timeout": "bot_takes_over"}
    match = joining.join(match_id=opened(ada, "me, open", **terms).id, user=ben)
    at_home.open(f"/matches/{match.id}")
    assert "At zero the computer plays on for the player." in at_home.text
    other = signed_in(ben).open(f"/matches/{match.id}").press("Give them more time")
    assert now(match).deadline_at == match.deadline_at + timedelta(seconds=60), other.text
    time_machine.move_to(match.deadline_at + timedelta(seconds=61))
    overdue.resend_overdue()
    at_home.open(at_home.address).press("Take your seat back")
    assert at_home.moves
    assert now(match).people_to_act == [0]


# Planning moves on the page of a table, by forms alone.


@pytest.fixture
def waiting(ada, ben):
    """Ada is to act; Ben waits."""
    match = joining.join(match_id=opened(ada, "me, open", "pisti").id, user=ben)
    return match if 0 in match.to_act else move(match)


def hand(match, seat):
    return match.rules.view(match.state, seat).hand


def test_when_they_play_this_i_play_that(ada, ben, waiting):
    mine, theirs = hand(waiting, 1), hand(waiting, 0)
    page = f"/matches/{waiting.id}"
    browser = signed_in(ben).open(page)
    typed = {"what-0": theirs[0].lower(), "play-0": mine[0], "else": mine[1], "then-0": mine[2]}
    browser.press("Plan this", **typed)
    assert f"When they play {theirs[0]}, I play {mine[0]}." in browser.text
    assert f"Otherwise I play {mine[1]}." in browser.text
    other = signed_in(ada).open(page)
    assert "I play " + mine[0] not in other.text
    assert "Plan this" not in other.text  # she is to move
    move(waiting, theirs[0])
    assert now(waiting).version == waiting.version + 2
    browser.open(page)
    assert f"I play {mine[2]}." in browser.text
    browser.press("Withdraw the plan")
    assert f"I play {mine[2]}." not in browser.text


def test_it_says_why_it_was_dropped(ben, waiting):
    browser = signed_in(ben).open(f"/matches/{waiting.id}")
    browser.press("Plan this", **{"what-0": "XX", "play-0": hand(waiting, 1)[0]})
    move(waiting)
    browser.open(f"/matches/{waiting.id}")
    assert "Your plan had no answer to the last move" in browser.text
    assert "no answer" not in browser.press("Understood").text


def test_odd_fields_plan_nothing(ben, waiting):
    browser = signed_in(ben).open(f"/matches/{waiting.id}").press("Plan this")
    assert "Nothing was planned" in browser.text
    browser.press("Plan this", **{"else": "a king"})
    assert browser.alerts
    assert now(waiting).plans == 0


def test_a_quick_match_has_no_such_form(ada, ben):
    match = opened(ada, "me, open", "pisti", turn_seconds=60)
    match = joining.join(match_id=match.id, user=ben)
    for person in (ada, ben):
        assert "Plan your moves" not in signed_in(person).open(f"/matches/{match.id}").text
