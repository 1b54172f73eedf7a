"""Every refusal that the code of a call can raise is listed at the call, with its status.

What a call can raise is read off the source: the view, the functions and classes of this project
that it names, and so on. What is named there but cannot happen is in ``CANNOT``, with the reason.
"""

import ast
import inspect
import textwrap
from functools import cache
from types import FunctionType, ModuleType

from django.db.models import Model
from django.urls import get_resolver

from config.refusals import Refusal
from tests.api.test_examples import document, operations

OURS = ("accounts.", "config.", "decks.", "games.")
PURE = (
    "cardroom.rules.",
    "cardroom.arena.",
)  # their own errors are translated where they are called
LEAVING = "a match that refuses is left as it is (games.operations.people)"
CANNOT = {
    ("create_guest", "too_many_keys"): "a new account has no key yet",
    ("delete_deck", "deck_name_taken"): "deleting frees a name",
    ("matches", "not_found"): "a list names no match",
    **{
        (call, "not_your_seat"): "the answer is for the seat that is to act, no seat is named"
        for call in ("create_match", "abort", "invite", "join", "leave", "load", "rematch")
    },
    ("change_hours", "channel_is_off"): "no channel is named",
    ("change_hours", "no_address"): "no channel is named",
    ("match_hours", "game_not_installed"): "nothing of the game is asked",
    ("create_seek", "too_many_bot_matches"): "the caller holds a seat",
    ("create_seek", "unknown_deck"): "no deck is named",
    ("become_bot", "bad_seats"): "the account's own name is refused before, in words of its own",
    ("plan", "game_not_installed"): "nothing of the game is asked",
    ("create_challenge", "not_found"): "it was made a moment ago",
    ("create_challenge", "too_many_bot_matches"): "the caller holds a seat",
    ("create_challenge", "unknown_deck"): "no deck is named",
    ("create_challenge", "game_not_installed"): "a game that is not installed is unknown",
    **{
        (call, cause): "it is told as challenge_is_over"
        for call in ("accept_challenge", "decline_challenge", "withdraw_challenge")
        for cause in ("match_not_open", "already_seated", "seat_taken")
    },
    ("create_tournament", "not_found"): "it was made a moment ago",
    ("register_program", "not_found"): "it was registered a moment ago",
    ("account_stream", "not_your_seat"): "no seat is named",
    ("create_tournament", "unknown_bot"): "no computer is named",
    ("join_tournament", "unknown_deck"): "no deck is named",
    ("invite", "unknown_deck"): "no deck is named",
    ("load", "too_many_bot_matches"): "the loading player holds a seat",
    ("rematch", "too_many_bot_matches"): "the caller held a seat",
    ("rematch", "unknown_deck"): "no deck is named",
    **{
        ("delete_me", cause): LEAVING
        for cause in ("not_found", "cannot_referee", "match_not_active", "match_not_open")
    },
    ("delete_me", "seat_is_out"): LEAVING,
    ("delete_me", "stale_version"): LEAVING,
    ("delete_me", "cannot_suspend"): "staff is refused before, in words of its own",
    ("delete_me", "reason_missing"): "the reason is always the same",
    ("export_matches", "match_not_over"): "such a match is left out",
    ("export_matches", "deal_is_sealed"): "such a match is left out",
    ("leagues", "not_found"): "each game that is rated has a league",
    **{
        (call, "game_not_installed"): "a league is of an installed game"
        for call in ("leagues", "league", "join_league", "leave_league")
    },
    ("daily", "game_not_installed"): "the games of the day are part of the tree",
    ("daily_deal", "game_not_installed"): "the games of the day are part of the tree",
    **{
        (call, "game_not_installed"): "exercises of games that are not installed are not shown"
        for call in ("exercise", "next_exercise", "daily_exercises", "attempt_exercise")
    },
    **{
        ("play_daily", cause): "the seats and their decks are the day's own"
        for cause in (
            *("unknown_bot", "unknown_deck", "bad_deck", "too_many_bot_matches", "not_your_seat"),
        )
    },
    ("export_matches", "parent_still_running"): "such a match is left out",
    ("export_matches", "game_not_installed"): "such a match is left out",
    ("create_match", "game_not_installed"): "a game that is not installed is unknown",
    **{
        (call, "game_not_installed"): "nothing of the game is asked"
        for call in (
            *("matches", "analysis", "stop_analysis", "block_player", "notices", "saves"),
            *("account_stream", "delete_me"),
        )
    },
    **{
        (call, "game_not_installed"): "what people say and have done is there without the game"
        for call in (
            *("phrases", "say_phrase", "mute_player", "unmute_player", "report"),
            *("rematch_standing", "user_matches"),
        )
    },
    ("say_phrase", "already_silenced"): "only operators silence",
    ("say_phrase", "reason_missing"): "only operators silence",
    ("stream", "method_not_allowed"): "the document has no HEAD",
    ("account_stream", "method_not_allowed"): "the document has no HEAD",
    ("move", "seat_is_out"): "only a seat that is to act runs out of time",
}


@cache
def raised_in(function, owner=None):
    """Refusals named in a function, and what else of this project it names."""
    found = [value_of(node, function, owner) for node in names_in(function)]
    return {one for one in found if isinstance(one, type | FunctionType)}


@cache  # a method is read once, whatever class it is looked up in
def names_in(function):
    """The names that it evaluates: nothing of its own, nothing it catches, no decorators."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # what dataclasses make has no source, and refuses nothing
        return []
    named, passed_over, own = [], set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.ExceptHandler(type=ast.expr() as caught):
                passed_over |= {id(each) for each in ast.walk(caught)}
            case ast.FunctionDef():
                noted = [*node.decorator_list, *([node.returns] if node.returns else [])]
                passed_over |= {id(each) for one in noted for each in ast.walk(one)}
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
            case ast.Name() | ast.Attribute():
                named.append(node)
    return [
        node
        for node in named
        if id(node) not in passed_over and getattr(node, "id", None) not in own
    ]


def value_of(node, function, owner):
    if isinstance(node, ast.Name):
        return function.__globals__.get(node.id)
    base = value_of(node.value, function, owner) if isinstance(node.value, ast.Name) else None
    if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
        base = owner
    if isinstance(base, ModuleType | type):
        try:
            return inspect.getattr_static(base, node.attr)
        except AttributeError:
            return None
    return None


def refusals_of(function, owner):
    seen, waiting, refusals = set(), [(function, owner)], set()
    while waiting:
        function, owner = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        for one in raised_in(function, owner):
            if isinstance(one, type) and issubclass(one, Refusal):
                refusals.add(one)
            elif is_ours(one):
                waiting += [(each, one if isinstance(one, type) else owner) for each in parts(one)]
    return {one for one in refusals if hasattr(one, "status")}


def is_ours(one):
    module = one.__module__ + "."
    return module.startswith(OURS) and not module.startswith(PURE)


def parts(one):
    if isinstance(one, FunctionType):
        return [inspect.unwrap(one)]
    if issubclass(one, Model):
        return []
    values = [
        getattr(value, "fget", None) or getattr(value, "__func__", value)
        for value in vars(one).values()
    ]
    return [value for value in values if isinstance(value, FunctionType) and is_ours(value)]


def views(patterns=None, prefix=""):
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from views(pattern.url_patterns, path)
        elif hasattr(pattern.callback, "view_class") or hasattr(pattern.callback, "cls"):
            yield "/" + path, getattr(pattern.callback, "cls", None) or pattern.callback.view_class


def handlers():
    """The function behind each operation of the document."""
    import re

    classes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path): view for path, view in views()}
    for path, method, operation in operations(document()):
        yield operation, classes[path], getattr(classes[path], method)


def test_every_refusal_is_listed():
    """Of every call in one test: what a call is tried with costs more than to try it."""
    missing, tried = [], 0
    for operation, view, function in handlers():
        name = operation["operationId"]
        for refusal in refusals_of(inspect.unwrap(function), view):
            tried += 1
            told = operation["responses"].get(str(refusal.status), {}).get("description", "")
            if f"`{refusal.code}`" not in told and (name, refusal.code) not in CANNOT:
                missing.append((name, refusal.status, refusal.__name__))
    assert tried > 500
    assert not missing, sorted(missing)
