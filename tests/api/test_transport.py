"""How answers travel: compressed where it is worth it, to pages of other sites where it is set."""

import gzip
import re

import pytest

from games.api.document.docs import document
from tests.api.calls import API, get, new_match, post

ORIGIN = "https://bots.example.org"


class TestDocument:
    def test_is_made_once_and_sent_compressed(self, api):
        document()
        answer = get(api, "schema", Accept_Encoding="gzip")
        assert answer["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.content) == get(api, "schema").content == document().plain
        assert len(answer.content) * 8 < len(document().plain)

    def test_is_not_sent_to_who_has_it(self, api):
        tag = get(api, "schema")["ETag"]
        assert get(api, "schema", If_None_Match=tag).status_code == 304


class TestCompression:
    def test_of_long_answers_to_programs(self, first):
        match = new_match(first)
        answer = get(first, f"matches/{match['id']}", Accept_Encoding="gzip")
        assert answer["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer["Vary"]
        plain = get(first, f"matches/{match['id']}")
        assert gzip.decompress(answer.content) == plain.content
        weak = answer["ETag"]
        assert weak == f"W/{plain['ETag']}"
        assert get(first, f"matches/{match['id']}", If_None_Match=weak).status_code == 304

    def test_not_where_a_browser_sends_its_cookie(self, client, ada):
        client.force_login(ada)
        answer = client.get(API + "games", headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in answer

    def test_not_of_short_answers_and_keys(self, api, db):
        answer = post(api, "accounts/guest", Accept_Encoding="gzip")
        assert "Content-Encoding" not in answer


class TestOtherSites:
    @pytest.fixture
    def set_to(self, settings):
        def choose(*origins):
            settings.CORS_ALLOW_ALL_ORIGINS = "*" in origins
            settings.CORS_ALLOWED_ORIGINS = [origin for origin in origins if origin != "*"]

        return choose

    def test_nobody_by_default(self, first):
        assert "Access-Control-Allow-Origin" not in get(first, "games", Origin=ORIGIN)

    @pytest.mark.parametrize("named", ["*", ORIGIN])
    def test_by_setting_with_keys_and_without_cookies(self, first, set_to, named):
        set_to(named)
        answer = get(first, "games", Origin=ORIGIN)
        assert answer["Access-Control-Allow-Origin"] == named
        assert "ETag" in answer["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in answer
        assert "Access-Control-Allow-Origin" not in first.get("/", headers={"Origin": ORIGIN})

    def test_they_may_send_a_key_and_a_move(self, api, set_to, db):
        set_to(ORIGIN)
        asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
        answer = api.options(API + "matches", headers=asked)
        allowed = set(re.split(", *", answer["Access-Control-Allow-Headers"]))
        assert {"authorization", "content-type", "idempotency-key"} <= allowed
