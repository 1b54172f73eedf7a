"""A client of Cardroom in one file: Python 3.9 or newer, the standard library, nothing else.

    from cardroom import Cardroom

    room = Cardroom.guest("http://127.0.0.1:8000")
    match = room.create_match("pisti", ["me", "bot greedy"], {"target_score": 51})
    print(room.play(match["id"], lambda match: match["legal_moves"][0]["move"]))

Every operation of the API (``/api/v1/docs``) is a method of the same name. A move, and what makes
something, is sent with a key of its own: sent again after a lost connection, it is played or made
once. A refusal raises ``Problem``; its ``code`` is stable.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import contextlib
import http.client
import json
import logging
import random
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Union
from urllib.parse import quote, urlencode

__version__ = "1.4.0"
API = "/api/v1"

Json = dict[str, Any]
Body = Mapping[str, Any]
Seat = Union[str, Json]  # "me", "open", "bot greedy", "user ada", "local Twin", or the object
Choice = Callable[[Json], str]  # a move for a match as its acting seat sees it

INVITING = ("invited", "rematch", "challenge")
MOVED_ON = ("stale_version", "not_your_turn", "match_not_active")
NAMED = {"bot": "bot", "user": "username", "local": "name", "me": "deck"}
LOST = (OSError, http.client.HTTPException, ValueError)  # a connection that broke off
SILENCE = 45.0  # seconds; a stream says something every 15
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds until a lost stream is opened again
OVER = ("finished", "aborted")

log = logging.getLogger("cardroom")


class Problem(Exception):
    """The service said no. ``members`` is the whole problem document (RFC 9457)."""

    def __init__(self, members: Json, status: int, retry_after: float | None = None) -> None:
        super().__init__(members.get("detail") or f"HTTP status {status}")
        self.members, self.status, self.retry_after = members, status, retry_after
        self.code: str = members.get("code", "")


class StrategyFailed(Exception):
    """``choose`` raised something, which is the cause of this."""


class Cardroom:
    """A service at ``url``, called with ``key``; without one only open calls are answered."""

    def __init__(
        self, url: str, key: str | None = None, timeout: float = 30.0, tries: int = 6
    ) -> None:
        self.url, self.key, self.timeout, self.tries = url.rstrip("/"), key, timeout, tries
        self._pauses: dict[str, float] = {}  # of streams that are lost, by path

    @classmethod
    def guest(cls, url: str) -> Cardroom:
        """With a new account. Keep ``key``: it is the only way into the account."""
        room = cls(url)
        room.key = room.create_guest()["token"]
        return room

    # --- accounts

    def create_guest(self) -> Json:
        return self._post("/accounts/guest", {})

    def register(self, username: str, password: str, email: str = "") -> Json:
        """With a guest's key it keeps the guest's matches."""
        body = {"username": username, "password": password, "email": email}
        return self._post("/accounts/register", body)

    def create_key(self, username: str, password: str, **more: Any) -> Json:
        """``code`` of a second factor, ``name``, ``scopes``."""
        return self._post("/accounts/token", {"username": username, "password": password, **more})

    def keys(self) -> Iterator[Json]:
        return self._pages("/accounts/tokens")

    def revoke_key(self, key_id: str) -> None:
        self._call("DELETE", f"/accounts/tokens/{key_id}")

    def me(self) -> Json:
        return self._get("/accounts/me")

    def change_me(self, **changes: Any) -> Json:
        """``display_name``, ``language``, ``in_archive``."""
        return self._call("PATCH", "/accounts/me", changes)

    def my_data(self) -> Json:
        """All that is kept of the caller."""
        return self._get("/accounts/me/data")

    def delete_me(self, username: str, password: str = "") -> None:
        """Deletes the account for good; a guest has no password."""
        self._post("/accounts/me/delete", {"username": username, "password": password})

    def my_notices(self) -> list[Json]:
        """Notices of the operators to the caller."""
        return self._get("/accounts/me/notices")

    def read_notice(self, notice_id: str) -> None:
        self._post(f"/accounts/me/notices/{notice_id}/read", {})

    def blocks(self) -> Iterator[Json]:
        return self._pages("/accounts/me/blocks")

    def block(self, username: str) -> Json:
        return self._call("PUT", f"/accounts/me/blocks/{quote(username, safe='')}")

    def friends(self) -> Iterator[Json]:
        """Friends, and requests of both directions: ``state``, ``online``."""
        return self._pages("/accounts/me/friends")

    def befriend(self, username: str) -> Json:
        """Asks an account, or accepts that it has asked."""
        return self._call("PUT", f"/accounts/me/friends/{quote(username, safe='')}")

    def unfriend(self, username: str) -> None:
        """Ends a friendship, declines or withdraws a request."""
        self._call("DELETE", f"/accounts/me/friends/{quote(username, safe='')}")

    def bots(self, **query: Any) -> list[Json]:
        """Bot accounts: ``game``, ``online`` (there, with room for another match)."""
        return self._get("/bots", query)["results"]

    def become_bot(self, owner: str, **more: Any) -> Json:
        """Asks the person ``owner`` to answer for this account's program; there is no way back.

        ``description``, ``plays``, ``paces``, ``at_once``, ``seeks``.
        """
        return self._make("/accounts/me/bot", {"owner": owner, **more})

    def my_bot(self) -> Json:
        """The requested bot account, and whether the owner has confirmed: ``status``."""
        return self._get("/accounts/me/bot")

    def change_bot(self, **changes: Any) -> Json:
        return self._call("PATCH", "/accounts/me/bot", changes)

    def my_bots(self) -> list[Json]:
        """Those that the caller owns, or is asked to."""
        return self._get("/accounts/me/bots")["results"]

    def confirm_bot(self, username: str) -> Json:
        """The caller answers for the program of this account."""
        return self._call("PUT", f"/accounts/me/bots/{quote(username, safe='')}")

    def refuse_bot(self, username: str) -> None:
        self._call("DELETE", f"/accounts/me/bots/{quote(username, safe='')}")

    def privacy(self) -> Json:
        return self._get("/accounts/me/privacy")

    def change_privacy(self, **changes: bool) -> Json:
        """``hides_profile``, ``hides_presence``, ``hides_titles``."""
        return self._call("PATCH", "/accounts/me/privacy", changes)

    def notification_choices(self) -> Json:
        return self._get("/accounts/me/notifications")

    def change_notifications(self, **changes: Any) -> Json:
        """``mail``, ``daily``, ``push``: kinds of news; ``quiet_from`` and so on."""
        return self._call("PATCH", "/accounts/me/notifications", changes)

    def hours(self) -> Json:
        """Your quiet hours and holidays, for matches with days for a move."""
        return self._get("/accounts/me/hours")

    def change_hours(self, **changes: Any) -> Json:
        """``time_zone``, ``quiet_from``, ``quiet_until``, ``clocks_rest``."""
        return self._call("PATCH", "/accounts/me/hours", changes)

    def announce_holiday(self, first_day: str, last_day: str) -> Json:
        """Days as *2026-12-24*; both belong to it."""
        days = {"first_day": first_day, "last_day": last_day}
        return self._make("/accounts/me/holidays", days)

    def end_holiday(self, holiday_id: str) -> None:
        self._call("DELETE", f"/accounts/me/holidays/{holiday_id}")

    def match_hours(self, match_id: str) -> Json:
        """The times at which the clocks of the people at a table stand still."""
        return self._get(f"/matches/{match_id}/hours")

    def browsers(self) -> Json:
        """The key to subscribe with, and the browsers that show messages."""
        return self._get("/accounts/me/push")

    def add_browser(self, endpoint: str, p256dh: str, auth: str, browser: str = "") -> Json:
        body = {"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "browser": browser}
        return self._make("/accounts/me/push", body)

    def remove_browser(self, browser_id: str) -> None:
        self._call("DELETE", f"/accounts/me/push/{browser_id}")

    def webhooks(self) -> list[Json]:
        return self._get("/accounts/me/webhooks")

    def create_webhook(
        self, url: str, kinds: list[str], name: str = "", match: str | None = None
    ) -> Json:
        """``secret`` is shown now and never again; of a ``match`` it tells what happens in it."""
        body = {"url": url, "kinds": kinds, "name": name} | ({"match": match} if match else {})
        return self._make("/accounts/me/webhooks", body)

    def change_webhook(self, webhook_id: str, **changes: Any) -> Json:
        """``url``, ``kinds``, ``name``, ``enabled``."""
        return self._call("PATCH", f"/accounts/me/webhooks/{webhook_id}", changes)

    def delete_webhook(self, webhook_id: str) -> None:
        self._call("DELETE", f"/accounts/me/webhooks/{webhook_id}")

    def rotate_webhook(self, webhook_id: str) -> Json:
        """A new ``secret``; for a day calls are signed with both."""
        return self._post(f"/accounts/me/webhooks/{webhook_id}/secret", {})

    def webhook_deliveries(self, webhook_id: str) -> Iterator[Json]:
        """The deliveries to a webhook, newest first, with each try."""
        return self._pages(f"/accounts/me/webhooks/{webhook_id}/deliveries")

    def ping_webhook(self, webhook_id: str) -> Json:
        """A test call, of the type ``ping``."""
        return self._make(f"/accounts/me/webhooks/{webhook_id}/ping", {})

    def registered_programs(self) -> list[Json]:
        """Programs of the caller's that other people use with their own accounts."""
        return self._get("/accounts/me/programs")["results"]

    def register_program(self, name: str, redirect_uris: list[str], kind: str = "public") -> Json:
        """``secret`` is shown now and never again; one of the kind ``public`` has none."""
        body = {"name": name, "redirect_uris": redirect_uris, "kind": kind}
        return self._make("/accounts/me/programs", body)

    def change_program(self, client_id: str, **changes: Any) -> Json:
        """``name``, ``redirect_uris``; everybody stays connected."""
        return self._call("PATCH", f"/accounts/me/programs/{client_id}", changes)

    def delete_program(self, client_id: str) -> None:
        self._call("DELETE", f"/accounts/me/programs/{client_id}")

    def rotate_program_secret(self, client_id: str) -> Json:
        """A new ``secret``; for a day the former one holds as well."""
        return self._make(f"/accounts/me/programs/{client_id}/secret", {})

    def resend_delivery(self, webhook_id: str, delivery_id: str) -> Json:
        here = f"/accounts/me/webhooks/{webhook_id}/deliveries/{delivery_id}"
        return self._post(f"{here}/resend", {})

    def user(self, username: str) -> Json:
        """The profile of a person."""
        return self._get(f"/users/{quote(username, safe='')}")

    def user_matches(self, username: str, **query: Any) -> Iterator[Json]:
        """The matches of a person that everybody may see."""
        return self._pages(f"/users/{quote(username, safe='')}/matches", query)

    def leaderboard(self, game: str, **query: Any) -> Iterator[Json]:
        """The best of a game; ``pace``, ``sides``, ``opponents``, ``friends``."""
        return self._pages(f"/leaderboards/{quote(game, safe='')}", query)

    def ladder(self, game: str) -> Json:
        """The computers of a game from the weakest to the strongest, and your results."""
        return self._get(f"/ladders/{quote(game, safe='')}")

    def leagues(self) -> Json:
        """The running week of each league, with your place."""
        return self._get("/leagues")

    def league(
        self,
        game: str,
        week: str | None = None,
        tier: int | None = None,
        division: int | None = None,
    ) -> Json:
        """The standings of a division: yours, or the one that is named."""
        query = {"week": week, "tier": tier, "division": division}
        return self._get(f"/leagues/{quote(game, safe='')}", query)

    def join_league(self, game: str) -> Json:
        return self._post(f"/leagues/{quote(game, safe='')}/join", {})

    def leave_league(self, game: str) -> Json:
        """From the next week on."""
        return self._post(f"/leagues/{quote(game, safe='')}/leave", {})

    def unblock(self, username: str) -> None:
        self._call("DELETE", f"/accounts/me/blocks/{quote(username, safe='')}")

    # --- games and matches

    def index(self) -> Json:
        """Every resource of the API."""
        return self._get("")

    def games(self) -> list[Json]:
        return self._get("/games")

    def matches(self, **query: Any) -> Iterator[Json]:
        """``game``, ``status``, ``mine``, ``joinable``, ``limit`` (of a page)."""
        return self._pages("/matches", query)

    def create_match(
        self,
        game: str,
        seats: Sequence[Seat],
        options: Json | None = None,
        **more: Any,
    ) -> Json:
        """``preset``, ``visibility``, ``turn_seconds``, or a ``clock``: ``{"bank": 600}``.

        ``mirrored``: the first of a set of ``pairs``, with four seats a duplicate.
        """
        wanted = [_seat(seat) for seat in seats]
        chosen = {"options": options} if options else {}
        return self._make("/matches", {"game": game, "seats": wanted, **chosen, **more})

    def match(self, match_id: str, seat: int | None = None) -> Json:
        return self._get(f"/matches/{match_id}", {"seat": seat})

    def move(
        self,
        match_id: str,
        move: str,
        version: int,
        seat: int | None = None,
        key: str | None = None,
    ) -> Json:
        """The match right after the move. The same ``key`` again gives the first answer again."""
        body = {"move": move, "version": version} | ({} if seat is None else {"seat": seat})
        return self._make(f"/matches/{match_id}/moves", body, key)

    def plan(self, match_id: str, seat: int | None = None) -> Json:
        """The rest of your plan in a slow match, or why it was ``dropped``."""
        return self._get(f"/matches/{match_id}/plans", {"seat": seat})

    def put_plan(
        self, match_id: str, steps: Sequence[Sequence[Json]], seat: int | None = None
    ) -> Json:
        """Plans moves ahead: ``[[{"move": "7H", "play": "JD"}, {"play": "5C"}]]``, a step a turn.

        Of a step the first line is played whose ``move``, ``event`` and ``top`` hold.
        """
        body = {"steps": [list(step) for step in steps], "seat": seat}
        return self._call("PUT", f"/matches/{match_id}/plans", body)

    def withdraw_plan(self, match_id: str, seat: int | None = None) -> None:
        self._call("DELETE", f"/matches/{match_id}/plans", query={"seat": seat})

    def daily(self) -> Json:
        """The deals of today and the seals of tomorrow."""
        return self._get("/daily")

    def daily_deal(self, day: str, game: str) -> Json:
        """A deal of the day, with its results once it is revealed."""
        return self._get(f"/daily/{day}/{game}")

    def play_daily(self, game: str, practise: str | None = None) -> Json:
        """Your one match of today's deal, or a revealed one once more: ``practise`` is its day."""
        return self._make(f"/daily/{game}", {"practise": practise})

    def exercises(self) -> Json:
        """The themes of exercises of each game; with a key how far you are."""
        return self._get("/exercises")

    def next_exercise(self, **query: Any) -> Json:
        """The same until you answer it; ``game``, ``theme``, ``mistakes=True``: your own."""
        return self._get("/exercises/next", query)

    def daily_exercises(self) -> Json:
        """One of each game, the same for everybody."""
        return self._get("/exercises/daily")

    def exercise(self, exercise_id: str) -> Json:
        """A position as its seat saw it; ``answer`` is null until you have answered."""
        return self._get(f"/exercises/{exercise_id}")

    def attempt_exercise(self, exercise_id: str, move: str) -> Json:
        """Your first answer counts, later ones are practice; what each move is worth."""
        return self._post(f"/exercises/{exercise_id}/attempts", {"move": move})

    def create_seek(self, game: str, key: str | None = None, **more: Any) -> Json:
        """Waits for anybody.

        ``pace`` or ``clock``, ``preset``, ``rated``, ``seats``, ``computers_after``.
        """
        return self._make("/seeks", {"game": game, **more}, key)

    def seeks(self) -> Json:
        """``results``: the caller's own; ``queues``: how many wait for what."""
        return self._get("/seeks")

    def seek(self, seek_id: str) -> Json:
        return self._get(f"/seeks/{seek_id}")

    def delete_seek(self, seek_id: str) -> None:
        """Stops waiting."""
        self._call("DELETE", f"/seeks/{seek_id}")

    def create_challenge(self, game: str, key: str | None = None, **more: Any) -> Json:
        """Asks ``username`` (or ``bot``) for a match.

        ``preset`` or ``options``, ``pace`` or ``clock``, ``rated``, ``seat``, ``expires_in`` …
        """
        return self._make("/challenges", {"game": game, **more}, key)

    def challenges(self) -> Json:
        """``received`` and ``sent``."""
        return self._get("/challenges")

    def challenge(self, challenge_id: str) -> Json:
        """Its terms, and what became of it: ``status``."""
        return self._get(f"/challenges/{challenge_id}")

    def accept_challenge(self, challenge_id: str, deck: str | None = None) -> Json:
        """The match of the same id begins."""
        return self._post(f"/challenges/{challenge_id}/accept", {"deck": deck} if deck else {})

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> Json:
        """``reason``: ``game``, ``time``, ``busy`` or ``generic``."""
        return self._post(f"/challenges/{challenge_id}/decline", {"reason": reason})

    def withdraw_challenge(self, challenge_id: str) -> None:
        self._call("DELETE", f"/challenges/{challenge_id}")

    def create_tournament(self, name: str, game: str, key: str | None = None, **more: Any) -> Json:
        """A tournament on fixed terms.

        ``form``, ``preset`` or ``options``, ``pace`` or ``clock``, ``rounds``, ``most``,
        ``mirrored``, ``pairs`` …
        """
        body = {"name": name, "game": game, **more}
        return self._make("/tournaments", body, key)

    def tournaments(self, **query: Any) -> Iterator[Json]:
        """Public ones and your own, the newest first."""
        return self._pages("/tournaments", query)

    def tournament(self, tournament_id: str) -> Json:
        """How far it is; ``your_match`` is the one to play now."""
        return self._get(f"/tournaments/{tournament_id}")

    def join_tournament(self, tournament_id: str) -> Json:
        return self._post(f"/tournaments/{tournament_id}/join", {})

    def withdraw_from_tournament(self, tournament_id: str) -> Json:
        return self._post(f"/tournaments/{tournament_id}/withdraw", {})

    def change_tournament(self, tournament_id: str, **changes: Any) -> Json:
        """By its host: ``name``, and until it begins ``starts_at``, ``most``, ``rounds`` …"""
        return self._call("PATCH", f"/tournaments/{tournament_id}", changes)

    def invite_to_tournament(self, tournament_id: str, username: str) -> Json:
        return self._post(f"/tournaments/{tournament_id}/invite", {"username": username})

    def remove_from_tournament(self, tournament_id: str, **player: Any) -> Json:
        """``username``, or the starting ``number``."""
        return self._post(f"/tournaments/{tournament_id}/remove", player)

    def begin_tournament(self, tournament_id: str) -> Json:
        return self._post(f"/tournaments/{tournament_id}/begin", {})

    def pause_tournament(self, tournament_id: str) -> Json:
        return self._post(f"/tournaments/{tournament_id}/pause", {})

    def resume_tournament(self, tournament_id: str) -> Json:
        return self._post(f"/tournaments/{tournament_id}/resume", {})

    def call_off_tournament(self, tournament_id: str) -> Json:
        """Before it begins."""
        return self._post(f"/tournaments/{tournament_id}/call-off", {})

    def tournament_results(self, tournament_id: str) -> Json:
        """Players, standings and boards."""
        return self._get(f"/tournaments/{tournament_id}/results")

    def tournament_table(self, tournament_id: str) -> str:
        """The standings as CSV."""
        return self._retried("GET", f"/tournaments/{tournament_id}/results.csv").decode()

    def find_match(self, game: str, **more: Any) -> Json:
        """Waits until somebody is found; the match with them. Raises LookupError if none is."""
        seek = self.create_seek(game, **more)
        while seek["status"] == "waiting":
            time.sleep(1)
            seek = self.seek(seek["id"])
        if seek["status"] == "ended":
            raise LookupError(seek["ending"])
        return self.match(seek["match"])

    def join(self, match_id: str, seat: int | None = None, deck: str | None = None) -> Json:
        return self._post(f"/matches/{match_id}/join", {"seat": seat, "deck": deck})

    def leave(self, match_id: str, reason: str | None = None) -> Json:
        """Also declines: for the ``reason`` ``game``, ``time``, ``busy`` or ``generic``."""
        return self._post(f"/matches/{match_id}/leave", {"reason": reason} if reason else {})

    def invite(self, match_id: str, seat: int, **to: Any) -> Json:
        """Gives a free seat to ``username="ada"``, ``open=True`` (anybody) or ``bot="greedy"``."""
        return self._post(f"/matches/{match_id}/invite", {"seat": seat, **to})

    def resign(self, match_id: str, seat: int | None = None) -> Json:
        return self._post(f"/matches/{match_id}/resign", {"seat": seat})

    def reclaim(self, match_id: str, seat: int | None = None) -> Json:
        """Takes a seat back that a computer plays since its time was up."""
        return self._post(f"/matches/{match_id}/reclaim", {"seat": seat})

    def give_time(self, match_id: str, seat: int | None = None, **more: Any) -> Json:
        """Gives the player who is to move more time."""
        return self._post(f"/matches/{match_id}/time", {"seat": seat, **more})

    def take_back(self, match_id: str, version: int, **which: int) -> Json:
        """Asks the others to deal a round again; ``round`` by default that of the last move."""
        return self._post(f"/matches/{match_id}/take-back", {"version": version, **which})

    def answer_take_back(self, match_id: str, version: int, *, accept: bool) -> Json:
        """``version`` is that of ``take_back`` in the match."""
        body = {"version": version, "accept": accept}
        return self._post(f"/matches/{match_id}/take-back/answer", body)

    def withdraw_take_back(self, match_id: str, version: int) -> Json:
        return self._post(f"/matches/{match_id}/take-back/withdraw", {"version": version})

    def claim(self, match_id: str) -> Json:
        """Somebody has kept the caller waiting for three days without a clock, and loses."""
        return self._post(f"/matches/{match_id}/claim", {})

    def call_off(self, match_id: str) -> Json:
        """The same, but nobody wins."""
        return self._post(f"/matches/{match_id}/call-off", {})

    def abort(self, match_id: str) -> Json:
        return self._post(f"/matches/{match_id}/abort", {})

    def rematch(self, match_id: str) -> Json:
        """The first player to ask opens it; players who ask later join it."""
        return self._make(f"/matches/{match_id}/rematch", {})

    def rematch_standing(self, match_id: str) -> Json:
        """Rematch: who ``wants`` it, is ``awaited``, ``declined``; the score of the ``series``."""
        return self._get(f"/matches/{match_id}/rematch")

    def decline_rematch(self, match_id: str) -> None:
        """Says no, or takes back that one asked."""
        self._call("DELETE", f"/matches/{match_id}/rematch")

    def load(self, match_id: str, cards: str, **point: int) -> Json:
        """``cards``: ``same`` or ``reshuffled``; ``round`` or ``version`` is the point."""
        return self._make(f"/matches/{match_id}/load", {"cards": cards, **point})

    def events(self, match_id: str, after: int = -1, **query: Any) -> Json:
        return self._get(f"/matches/{match_id}/events", {"after": after, **query})

    def saves(self, match_id: str) -> list[Json]:
        return self._get(f"/matches/{match_id}/saves")

    def shape(self, match_id: str) -> Json:
        """The sides that led after each round, and those at match point."""
        return self._get(f"/matches/{match_id}/shape")

    def analyse(self, match_id: str) -> Json:
        """Asks for the analysis of a match that is over, or reads how far it is."""
        return self._make(f"/matches/{match_id}/analysis", {})

    def analysis(self, match_id: str) -> Json:
        """``seats`` and ``verdicts`` are there once its ``status`` is ``finished``."""
        return self._get(f"/matches/{match_id}/analysis")

    def stop_analysis(self, match_id: str) -> None:
        self._call("DELETE", f"/matches/{match_id}/analysis")

    def mirrored(self, match_id: str) -> Json:
        """The place of a mirrored match in its set; ``result`` once all of it are over."""
        return self._get(f"/matches/{match_id}/mirrored")

    def switch_on_coach(self, match_id: str) -> Json:
        """Hints may be asked for from now on; the match counts in no results."""
        return self._post(f"/matches/{match_id}/coach", {})

    def ask_hint(self, match_id: str) -> Json:
        """The worth of your moves; ask again while its ``status`` is ``running``."""
        return self._post(f"/matches/{match_id}/hint", {})

    def notices(self, match_id: str) -> list[Json]:
        return self._get(f"/matches/{match_id}/notices")

    def block_player(self, match_id: str, seat: int) -> None:
        self._post(f"/matches/{match_id}/block", {"seat": seat})

    def phrases(self, match_id: str) -> Json:
        """``offered``, ``said`` in the last minute, ``muted`` seats, ``muted_all``."""
        return self._get(f"/matches/{match_id}/phrases")

    def say_phrase(self, match_id: str, phrase: str) -> Json:
        return self._make(f"/matches/{match_id}/phrases", {"phrase": phrase})

    def mute_player(self, match_id: str, seat: int | None = None) -> None:
        """Reads no phrases of who sits there any more; without a seat of nobody."""
        self._post(f"/matches/{match_id}/mute", {"seat": seat})

    def unmute_player(self, match_id: str, seat: int | None = None) -> None:
        self._post(f"/matches/{match_id}/unmute", {"seat": seat})

    def report(self, match_id: str, reason: str, seat: int | None = None, text: str = "") -> None:
        """Tells the operators of a seat, or of the match itself."""
        self._post(f"/matches/{match_id}/reports", {"reason": reason, "seat": seat, "text": text})

    # --- playing

    def play(self, match_id: str, choose: Choice) -> Json:
        """Plays the caller's seats to the end of the match; the match as it ended."""
        version = -1
        match: Json = {}
        for message in self.stream(match_id):
            match = message["match"] or match
            if match and match["version"] >= version:  # equal: it has only now begun
                version = self._take_turns(match, choose)
        return match

    def play_all(
        self,
        choose: Choice,
        games: Collection[str] | None = None,
        *,
        most: int | None = None,
        threads: int = 1,
    ) -> None:
        """Plays every turn and accepts challenges and invitations to ``games``, for ever.

        Without ``games`` to any; others are declined, and those beyond ``most`` matches at a time
        for being busy. A strategy that fails in a match resigns it, which is logged, and the other
        matches go on. With more ``threads`` it thinks about several matches at the same time.
        """
        tables = _Tables(games, most)
        with _Thinking(threads) as thinking:
            while True:
                for message in self.account_stream():
                    waiting = message.get("waiting") or [message]
                    answered = [
                        thinking.of(news.get("match"), self._answer, news, choose, tables)
                        for news in waiting
                    ]
                    if not all(answered):
                        break  # the next stream sends again what waits
                time.sleep(1.0)

    def _answer(self, news: Json, choose: Choice, tables: _Tables) -> bool:
        """``False`` if the service could not be asked."""
        match_id = news.get("match")
        try:
            self._follow(news, _guarded(choose), tables)
        except StrategyFailed as failed:
            self._give_up(match_id, failed.__cause__)
        except LOST as error:
            log.warning("match %s: %s; trying again", match_id, error)
            return False
        except Problem as problem:
            return self._is_settled(match_id, problem)
        except Exception:
            log.exception("match %s: this news was not understood", match_id)
        return True

    def _follow(self, news: Json, choose: Choice, tables: _Tables) -> None:
        if news["type"] in INVITING:
            reason = tables.reason_against(news)
            if reason is not None:
                self.leave(news["match"], reason)
            else:
                self._take_turns(self.join(news["match"]), choose)
        elif news["type"] in OVER:
            tables.leave(news["match"])
        elif news["type"] == "your_turn":
            tables.sit(news["match"])
            self._take_turns(self.match(news["match"]), choose)

    def _is_settled(self, match_id: Any, problem: Problem) -> bool:
        """``False`` where the same may be answered later; raises what concerns every match."""
        if problem.status == 401 or problem.code == "suspended":
            raise problem
        if problem.status == 429 or problem.status >= 500:
            log.warning("match %s: %s; trying again", match_id, problem)
            return False
        if problem.code in ("illegal_move", "malformed_move", "malformed"):
            self._give_up(match_id, problem)
        elif problem.status not in (404, 409):  # else somebody was quicker: more news follows
            log.error("match %s: %s", match_id, problem)
        return True

    def _give_up(self, match_id: Any, cause: BaseException | None) -> None:
        """Nobody waits for a strategy that does not know what to do."""
        log.error("match %s: the strategy failed, the match is resigned", match_id, exc_info=cause)
        with contextlib.suppress(Problem, *LOST):
            self.resign(match_id)

    def _take_turns(self, match: Json, choose: Choice) -> int:
        """Moves as long as it is the caller's turn; the version after the last move."""
        while match["legal_moves"]:
            try:
                match = self.move(match["id"], choose(match), match["version"])
            except Problem as problem:
                if problem.code not in MOVED_ON:
                    raise
                match = problem.members.get("match") or {**match, "legal_moves": []}
        return match["version"]

    # --- streams

    def stream(
        self,
        match_id: str,
        after: int | None = None,
        seat: int | None = None,
        *,
        phrases: bool = False,
    ) -> Iterator[Json]:
        """The match and its events as they happen, over lost connections; ends with the match.

        ``phrases``: also what people say at the table, as messages of the type ``said``.
        """
        while True:
            query = {"seat": seat, "phrases": phrases or None}
            for message in self._lines(f"/matches/{match_id}/stream", after, query):
                after = message.get("version", after)
                yield message
                if message["type"] == "end":
                    return

    def account_stream(self, after: str | None = None, matches: str = "") -> Iterator[Json]:
        """The news of the caller's matches; the first, ``hello``, says what waits. Never ends.

        ``matches``: also the moves (``moves``) of those that the caller plays (``mine``), or of
        these, ids with commas.
        """
        while True:
            for message in self._lines("/stream", after, {"matches": matches or None}):
                after = message.get("id") or after
                yield message

    def _lines(self, path: str, after: Any, more: Json) -> Iterator[Json]:
        """The messages of one connection, until it is lost; then a pause that grows.

        It is short again once something was read. Chance keeps many programs from coming at once.
        """
        headers = {"Accept": "application/x-ndjson"}
        query = {"after": after, **more}
        try:
            with self._open("GET", path, None, query, headers, SILENCE) as answer:
                for line in answer:
                    self._pauses.pop(path, None)
                    if line.strip():
                        yield json.loads(line)
        except LOST:  # or half a line of it
            pass
        except Problem as problem:
            if problem.status not in (429, 503):
                raise
            time.sleep(problem.retry_after or 1.0)
        pause = self._pauses.get(path, FIRST_PAUSE)
        self._pauses[path] = min(2 * pause, LONGEST_PAUSE)
        time.sleep(pause * random.uniform(0.5, 1.0))

    # --- records, decks, simulations

    def record(self, match_id: str) -> Json:
        return self._get(f"/matches/{match_id}/record")

    def export_matches(self, **query: Any) -> Iterator[Json]:
        """Records of matches that are over: ``mine``, ``game``, ``since``, ``after``, ``limit``."""
        return self._records("/exports/matches", query)

    def create_export(self, **query: Any) -> Json:
        """Of the caller's matches: ``game``, ``since``. ``fetch_export`` waits for the file."""
        return self._make("/exports", query)

    def exports(self) -> Iterator[Json]:
        return self._pages("/exports")

    def export(self, export_id: str) -> Json:
        return self._get(f"/exports/{export_id}")

    def delete_export(self, export_id: str) -> None:
        self._call("DELETE", f"/exports/{export_id}")

    def export_file(self, export_id: str) -> Iterator[Json]:
        """The records of a finished export."""
        return self._records(f"/exports/{export_id}/file")

    def fetch_export(self, **query: Any) -> Iterator[Json]:
        """Asks for an export, waits until it is written, gives its records."""
        export = self.create_export(**query)
        while export["status"] == "writing":
            time.sleep(1.0)
            export = self.export(export["id"])
        yield from self.export_file(export["id"])

    def archives(self) -> list[Json]:
        return self._get("/archives")

    def archive_file(self, day: str) -> Iterator[Json]:
        """The records of a public archive."""
        return self._records(f"/archives/{day}.jsonl")

    def archive_checksum(self, day: str) -> str:
        return self._retried("GET", f"/archives/{day}.jsonl.sha256").decode()

    def verify_record(self, record: Json) -> Json:
        return self._post("/records/verify", record)

    def side_cards(self, catalogue: str = "full") -> list[Json]:
        return self._get("/decks/cards", {"catalogue": catalogue})

    def decks(self) -> Iterator[Json]:
        return self._pages("/decks")

    def deck(self, deck_id: str) -> Json:
        return self._get(f"/decks/{deck_id}")

    def create_deck(self, name: str, cards: Sequence[str], **more: bool) -> Json:
        return self._make("/decks", {"name": name, "cards": list(cards), **more})

    def replace_deck(self, deck_id: str, name: str, cards: Sequence[str]) -> Json:
        return self._call("PUT", f"/decks/{deck_id}", {"name": name, "cards": list(cards)})

    def change_deck(self, deck_id: str, **changes: Any) -> Json:
        return self._call("PATCH", f"/decks/{deck_id}", changes)

    def delete_deck(self, deck_id: str) -> None:
        self._call("DELETE", f"/decks/{deck_id}")

    def import_deck(self, **source: str) -> Json:
        """``code`` or ``text``, and a ``name``."""
        return self._make("/decks/import", source)

    def examine_deck(self, deck_id: str, **chosen: Any) -> Json:
        """Asks the deck doctor: ``field`` (*public*, *house*) or ``rivals``, codes; ``seed``."""
        return self._make(f"/decks/{deck_id}/doctor", chosen)

    def examination(self, deck_id: str, rivals: Sequence[str] = (), **query: Any) -> Json:
        """Of the same ``field``, or ``rivals``, and ``seed``; ``diagnosis`` is there at the end."""
        query["rivals"] = ",".join(rivals) or None
        return self._get(f"/decks/{deck_id}/doctor", query)

    def simulations(self) -> Iterator[Json]:
        return self._pages("/simulations")

    def create_simulation(self, game: str, bots: Sequence[str] = (), **more: Any) -> Json:
        """``games``, ``options``, ``preset``, ``seed``, ``swap``."""
        return self._make("/simulations", {"game": game, "bots": list(bots), **more})

    def simulation(self, simulation_id: str) -> Json:
        return self._get(f"/simulations/{simulation_id}")

    def cancel_simulation(self, simulation_id: str) -> Json:
        return self._post(f"/simulations/{simulation_id}/cancel", {})

    def simulation_plot(self, simulation_id: str, name: str) -> bytes:
        """A PNG; ``length.png``, ``survival.png`` or ``wins.png``."""
        return self._retried("GET", f"/simulations/{simulation_id}/plots/{name}")

    # --- HTTP

    def _records(self, path: str, query: Body | None = None) -> Iterator[Json]:
        with self._open("GET", path, None, query, None, self.timeout) as answer:
            for line in answer:
                yield json.loads(line)

    def _get(self, path: str, query: Body | None = None) -> Any:
        return self._call("GET", path, query=query)

    def _post(self, path: str, body: Body) -> Any:
        return self._call("POST", path, body)

    def _make(self, path: str, body: Body, key: str | None = None) -> Any:
        """With a key, the same each time that it is sent: what it makes is made once."""
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self._call("POST", path, body, headers=headers)

    def _pages(self, path: str, query: Body | None = None) -> Iterator[Json]:
        page = self._get(path, query)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            page = self._get(path + "?" + page["next"].partition("?")[2])

    def _call(
        self,
        method: str,
        path: str,
        body: Body | None = None,
        query: Body | None = None,
        headers: Json | None = None,
    ) -> Any:
        text = self._retried(method, path, body, query, headers)
        return json.loads(text) if text else None

    def _retried(
        self,
        method: str,
        path: str,
        body: Body | None = None,
        query: Body | None = None,
        headers: Json | None = None,
    ) -> bytes:
        """Sent again when the service is busy, or away where sending twice does nothing twice."""
        safe = method != "POST" or "Idempotency-Key" in (headers or {})
        for left in reversed(range(self.tries)):
            try:
                with self._open(method, path, body, query, headers, self.timeout) as answer:
                    return bytes(answer.read())
            except Problem as problem:
                again = problem.status == 429 or (problem.status == 503 and safe)
                if not again or not left:
                    raise
                time.sleep(problem.retry_after or 1.0)
            except LOST:
                if not safe or not left:
                    raise
                time.sleep(0.5)
        raise AssertionError("the last try returns or raises")

    def _open(
        self,
        method: str,
        path: str,
        body: Body | None,
        query: Body | None,
        headers: Json | None,
        timeout: float,
    ) -> Any:
        address, data, sent = _request(self.url, self.key, path, body, query, headers)
        request = urllib.request.Request(address, data, sent, method=method)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                refused = _problem(error.read(), error.code, error.headers.get("Retry-After", ""))
            raise refused from None


class _Tables:
    """The matches that ``play_all`` plays, and why another one is declined."""

    def __init__(self, games: Collection[str] | None, most: int | None) -> None:
        self._games, self._most = games, most
        self._lock, self._running = threading.Lock(), set[str]()

    def reason_against(self, news: Json) -> str | None:
        """None where it is accepted; then it counts at once."""
        if self._games is not None and news["game"] not in self._games:
            return "game"
        with self._lock:
            if self._most is not None and len(self._running) >= self._most:
                return "busy"
            self._running.add(news["match"])
        return None

    def sit(self, match_id: str) -> None:
        with self._lock:
            self._running.add(match_id)

    def leave(self, match_id: str) -> None:
        with self._lock:
            self._running.discard(match_id)


class _Thinking:
    """Answers of ``play_all``: one after the other, or with threads those of each match in turn."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._matches: dict[Any, Future[bool]] = {}

    def __enter__(self) -> _Thinking:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def of(self, match_id: Any, answer: Callable[..., bool], *what: Any) -> bool:
        """Raises what an answer before has raised: it concerns every match."""
        if self._pool is None:
            return answer(*what)
        for known, future in list(self._matches.items()):
            if future.done():
                future.result()
                del self._matches[known]
        before = self._matches.get(match_id)
        self._matches[match_id] = self._pool.submit(_until_answered, before, answer, *what)
        return True


def _until_answered(before: Future[bool] | None, answer: Callable[..., bool], *what: Any) -> bool:
    if before is not None:
        before.result()
    while not answer(*what):
        time.sleep(1.0)
    return True


def _guarded(choose: Choice) -> Choice:
    def guarded(match: Json) -> str:
        try:
            return choose(match)
        except Exception as error:
            raise StrategyFailed(str(error)) from error

    return guarded


def _seat(seat: Seat) -> Json:
    """``"bot greedy"`` as the object that the API takes."""
    if not isinstance(seat, str):
        return seat
    kind, _, name = seat.partition(" ")
    return {"kind": kind, NAMED[kind]: name} if name else {"kind": kind}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _request(
    url: str,
    key: str | None,
    path: str,
    body: Body | None,
    query: Body | None,
    headers: Json | None,
) -> tuple[str, bytes | None, Json]:
    """The address, the text and the headers of a call."""
    fields = urlencode({k: _text(v) for k, v in (query or {}).items() if v is not None})
    sent = dict(headers or {})
    if key:
        sent["Authorization"] = f"Token {key}"
    if body is not None:
        sent["Content-Type"] = "application/json"
    address = url + API + path + (f"?{fields}" if fields else "")
    return address, None if body is None else json.dumps(body).encode(), sent


def _problem(text: bytes, status: int, wait: str) -> Problem:
    try:
        members = json.loads(text)
    except ValueError:
        members = {}
    known = members if isinstance(members, dict) else {}
    return Problem(known, status, float(wait) if wait.isdigit() else None)
