"""Phrases at the table: said, read, muted, blocked, silenced, reported, forgotten."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.social import services
from cardroom.rules import catalog
from games.matches import joining
from games.matches.models import Match, Ply
from games.operations.models import PlayerReport
from games.phrases import speaking
from games.phrases.models import Saying
from games.phrases.speaking import Wanted, phrases_since
from tests.matches.scenes import opened
from tests.people.ended import resigned
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ada, ben):
    match = opened(ada, "me, open", "shithead", visibility="public")
    return joining.join(match_id=match.id, user=ben)


@pytest.fixture
def here(match):
    return f"/api/v1/matches/{match.id}"


def read(match, reader):
    rows = phrases_since([Wanted(match.id, reader and reader.pk, 0)])[0]
    return [(row.seat, row.phrase) for row in rows]


def say(match, user, phrase="hello"):
    return speaking.speak(match_id=match.id, user=user, phrase=phrase)


def code(answer):
    return answer.status_code, answer.json()["code"]


def test_every_game_offers_twenty_four_sentences_and_six_signs():
    for game in catalog.GAMES:
        offered = speaking.offered_at(game)
        assert not set(game.phrases) & set(speaking.SENTENCES) & set(speaking.SIGNS)
        assert sum(not one.picture for one in offered) == 24
        assert sum(bool(one.picture) for one in offered) == 6
        assert len({one.slug for one in offered}) == 30


def test_a_phrase_is_said_and_read(match, here, first, second, ada, ben, cleo):
    answer = first.post(f"{here}/phrases", {"phrase": "well_burned"})
    assert (answer.status_code, answer.json()["text"]) == (201, "Well burned!")
    for reader in (ada, ben, cleo, None):
        assert read(match, reader) == [(0, "well_burned")]
    said = second.get(f"{here}/phrases", HTTP_ACCEPT_LANGUAGE="tr").json()["said"]
    assert [(one["seat"], one["phrase"]) for one in said] == [(0, "well_burned")]
    assert said[0]["text"] != "Well burned!"


def test_it_is_no_part_of_the_match(match, first, here):
    before = Match.objects.values().get(pk=match.id), Ply.objects.count()
    first.post(f"{here}/phrases", {"phrase": "hello"})
    assert (Match.objects.values().get(pk=match.id), Ply.objects.count()) == before
    assert "hello" not in first.get(f"{here}/events").content.decode()


def test_the_same_within_four_seconds_is_the_same(match, ada):
    assert say(match, ada).pk == say(match, ada).pk
    Saying.objects.update(at=timezone.now() - timedelta(seconds=5))
    say(match, ada)
    assert Saying.objects.count() == 2


def test_five_a_minute(match, here, first, ada):
    slugs = ["hello", "thank_you", "oops", "smile", "pick_it_up", "goodbye"]
    answers = [first.post(f"{here}/phrases", {"phrase": slug}) for slug in slugs]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert (code(answers[5]), answers[5].json()["limit"]) == ((429, "too_many_phrases"), 5)
    Saying.objects.update(at=timezone.now() - timedelta(minutes=2))
    say(match, ada)


def test_only_what_is_offered_is_said(match, here, first):
    for phrase in ("pisti", "come to evil.example", ""):
        answer = first.post(f"{here}/phrases", {"phrase": phrase})
        assert answer.status_code in (400, 422)
    assert Saying.objects.count() == 0


def test_only_players_speak(match, here, keyed, cleo, ada):
    stranger = keyed(cleo)
    assert stranger.get(f"{here}/phrases").json()["offered"] == []
    assert stranger.post(f"{here}/phrases", {"phrase": "hello"}).status_code == 403
    private = opened(ada, "me, open", visibility="private")
    address = f"/api/v1/matches/{private.id}/phrases"
    assert stranger.post(address, {"phrase": "hello"}).status_code == 404
    assert stranger.get(address).status_code == 404


@pytest.mark.parametrize("seats", ["me, local Twin", "me, bot random"])
def test_nobody_talks_to_themselves(first, ada, seats):
    alone = opened(ada, seats)
    address = f"/api/v1/matches/{alone.id}/phrases"
    assert first.get(address).json()["offered"] == []
    assert code(first.post(address, {"phrase": "hello"})) == (409, "nobody_listens")
    assert 'id="talk"' not in signed_in(ada).open(f"/matches/{alone.id}").page


def test_after_the_match_one_says_goodbye_for_a_while(match, here, first, ben):
    resigned(match, ben)
    assert first.post(f"{here}/phrases", {"phrase": "good_game"}).status_code == 201
    Match.objects.filter(pk=match.id).update(finished_at=timezone.now() - timedelta(hours=1))
    assert code(first.post(f"{here}/phrases", {"phrase": "goodbye"})) == (409, "table_is_left")


def test_a_person_is_muted(match, here, second, ada, ben, cleo):
    say(match, ada)
    assert second.post(f"{here}/mute", {"seat": 0}).status_code == 204
    assert second.post(f"{here}/mute", {"seat": 0}).status_code == 204  # again
    assert (read(match, ben), read(match, cleo)) == ([], [(0, "hello")])
    assert read(match, ada) == [(0, "hello")]  # they are not told
    state = second.get(f"{here}/phrases").json()
    assert (state["muted"], state["muted_all"], state["said"]) == ([0], False, [])
    second.post(f"{here}/unmute", {"seat": 0})
    second.post(f"{here}/unmute", {"seat": 0})
    assert read(match, ben) == [(0, "hello")]


def test_everybody_is_muted(match, here, second, ada, ben):
    second.post(f"{here}/mute", {})
    say(match, ada)
    say(match, ben, "oops")
    assert read(match, ben) == [(1, "oops")]
    assert second.get(f"{here}/phrases").json()["muted_all"] is True
    second.post(f"{here}/unmute", {})
    assert len(read(match, ben)) == 2


def test_nobody_sits_there_to_be_muted(match, here, second):
    for seat in (1, 7):
        assert second.post(f"{here}/mute", {"seat": seat}).status_code == 404


def test_a_block_hides_what_is_said(match, ada, ben):
    services.block(owner=ben, blocked=ada.pk)
    say(match, ada)
    say(match, ben, "oops")
    assert (read(match, ben), read(match, ada)) == ([(1, "oops")], [(0, "hello"), (1, "oops")])


def test_operators_silence_a_person(match, here, first, ada, ben):
    by = Actor(ben.pk, "operator", "Nothing but mockery.")
    until = timezone.now() + timedelta(days=1)
    speaking.silence(user_id=ada.pk, by=by, until=until)
    with pytest.raises(speaking.AlreadySilenced):
        speaking.silence(user_id=ada.pk, by=by, until=None)
    assert code(first.post(f"{here}/phrases", {"phrase": "hello"})) == (403, "silenced")
    speaking.lift_silence(user_id=ada.pk, by=by)
    assert first.post(f"{here}/phrases", {"phrase": "hello"}).status_code == 201


def test_a_silence_ends_by_itself(match, ada, ben):
    by = Actor(ben.pk, "operator", "For a minute.")
    speaking.silence(user_id=ada.pk, by=by, until=timezone.now() - timedelta(seconds=1))
    say(match, ada)
    speaking.silence(user_id=ada.pk, by=by, until=None)


def test_a_report_keeps_the_last_minute(match, ada, ben):
    say(match, ada, "blind_luck")
    Saying.objects.update(at=timezone.now() - timedelta(minutes=2))
    say(match, ada, "oops")
    page = signed_in(ben).open(f"/matches/{match.id}")
    page.press("Send the report", seat="0", reason="phrases")
    evidence = PlayerReport.objects.get().evidence
    assert [(one["seat"], one["phrase"]) for one in evidence] == [(0, "oops")]


def test_it_is_forgotten_after_a_day(match, ada):
    say(match, ada)
    assert speaking.forget() == 0
    Saying.objects.update(at=timezone.now() - timedelta(days=2))
    assert speaking.forget() == 1


def test_by_forms_alone(match, ada, ben):
    at_ada, at_ben = (signed_in(one).open(f"/matches/{match.id}") for one in (ada, ben))
    at_ada.press("Well burned!")
    at_ben.open(f"/matches/{match.id}")
    assert ">Well burned!</span>" in at_ben.page
    at_ben.press("Mute Ada")
    assert "Muted. They are not told." in at_ben.text
    assert ">Well burned!</span>" not in at_ben.page
    at_ben.press("Unmute Ada")
    at_ben.press("Mute everybody")
    assert "Unmute everybody" in at_ben.text


def test_a_refusal_is_read_by_forms_and_by_scripts(match, ada, settings):
    settings.LIMITS = settings.LIMITS | {"phrases": 0}
    at_ada = signed_in(ada).open(f"/matches/{match.id}")
    assert "enough for a minute" in at_ada.press("Oops!").text
    token = dict(at_ada.forms[-1].fields)["csrfmiddlewaretoken"]
    answer = at_ada.client.post(
        f"/matches/{match.id}/say",
        {"phrase": "oops", "csrfmiddlewaretoken": token},
        headers={"HX-Request": "true"},
    )
    assert answer.content.decode() == "You have said enough for a minute."
