"""Matches of every history, and what their readers are told: nothing may change what that is.

A history is a list of acts (``Act``), each done to one of the matches that are there by then.
"""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

import msgspec
import time_machine
from hypothesis import strategies as st

from accounts.audit.log import Actor
from accounts.models import User
from cardroom.rules import record
from cardroom.rules.course import RESIGN
from cardroom.rules.shuffles import Sealed, Stacked
from cardroom.rules.values import HistoryStep
from config.refusals import Refusal
from games.matches import folding, joining, loading, overdue, records, verification
from games.matches.models import Match, Ply, Round
from games.matches.selectors.access import get_match
from games.matches.selectors.history import choices_at, history_until, match_at
from games.matches.selectors.lineage import rounds_of_match
from games.matches.selectors.lists import closed_scores, rounds_of
from games.matches.selectors.log import entries_between, log_entries, plain_events, timeline
from games.matches.snapshot import MatchSnapshot
from games.operations import refereeing
from games.operations.people import erase
from tests.matches.scenes import called_off, now, opened, played, resigned
from tests.rules.playing import FUZZING
from tests.rules.short import short_options

SEATS = ("me, local Twin", "me, bot random", "me, user ben")
AT_ZERO = ("resign", "bot_move", "bot_takes_over")
SECONDS = 60
FIRST_ROUNDS, LAST_ROUNDS = (6, 3) if FUZZING else (2, 1)  # at whose openings a match is looked at
KINDS = (
    *("play", "play", "open", "load same", "load reshuffled", "load reshuffled"),
    *("load the last one", "roll back", "hand over", "time out", "resign", "abort", "archive"),
    *("unfold", "erase"),
)
LOADS = [kind for kind in KINDS if kind.startswith("load")]
BETWEEN = ("archive", "unfold", "erase", "hand over", "abort")


class Act(NamedTuple):
    """``which`` match it is done to, and a number that each kind reads in its own way."""

    kind: str
    which: int
    number: int


acts = st.lists(
    st.builds(Act, st.sampled_from(KINDS), st.integers(0, 20), st.integers(0, 400)),
    min_size=4,
    max_size=9,
)


@st.composite
def chains(draw: Any) -> list[Act]:
    """A match loaded, rolled back and played on, over and over, from the archive too."""
    numbers, chain = st.integers(0, 400), []
    for _ in range(draw(st.integers(1, 3))):
        chain.append(Act(draw(st.sampled_from(LOADS)), draw(st.integers(0, 20)), draw(numbers)))
        for _ in range(draw(st.integers(1, 3))):
            chain += [Act(kind, -1, draw(numbers)) for kind in ("play", "roll back", "play")]
        chain += [
            Act(kind, draw(numbers), 0)
            for kind in draw(st.lists(st.sampled_from(BETWEEN), max_size=2))
        ]
    return chain


class Histories:
    """Matches after some acts, in the order in which they were opened."""

    def __init__(
        self, game: Any, ada: User, ben: User, seed: int, clock: time_machine.Traveller
    ) -> None:
        self.game, self.ada, self.clock, self.rng = game, ada, clock, Random(seed)
        self.ben, self.ids = ben, list[Any]()
        while not self.ids or self.match(0).is_over:  # Pazaak may be over after a dozen turns
            self.ids.clear()
            self.open(0)
            self.play(self.match(0), 12)

    def match(self, which: int) -> MatchSnapshot:
        return get_match(self.ids[which % len(self.ids)])

    def live(self, chosen: list[Act]) -> None:
        for act in chosen:
            self.clock.shift(1)
            match = self.match(act.which)
            try:
                self.do(act, match)
            except Refusal:
                continue  # the match does not allow it now

    def do(self, act: Act, match: MatchSnapshot) -> None:
        match act.kind:
            case "open":
                self.open(act.number)
            case "load same":
                self.load(match, "same", act.number % (match.version + 1))
            case "load reshuffled":
                self.load(match, "reshuffled", act.number % (match.version + 1))
            case "load the last one":
                last = self.match(-1)
                self.load(last, ("same", "reshuffled")[act.number % 2], last.version - 1)
            case "archive":
                self.archive(act.which)
            case "unfold":
                folding.unfold(match.id)
            case "erase":
                erase(user_id=self.ben.id, by=self.operator)
            case _ if match.status == "active":
                self.do_to_running(act, match)

    def do_to_running(self, act: Act, match: MatchSnapshot) -> None:
        match act.kind:
            case "play":
                self.play(match, act.number)
            case "roll back":
                number = 1 + act.number % match.round
                refereeing.roll_back(match_id=match.id, by=self.operator, round=number)
            case "hand over":
                refereeing.hand_to_bot(match_id=match.id, by=self.operator, seat=act.number % 2)
            case "time out":
                self.clock.shift(SECONDS + 1)
                overdue.resend_overdue()
            case "resign":
                resigned(match, 0)
            case "abort":
                called_off(match)

    @property
    def operator(self) -> Actor:
        return Actor.of(self.ada, "A history needs it.")

    def open(self, number: int) -> None:
        options = [{}, short_options(self.game)][number % 2]
        terms = {"turn_seconds": SECONDS, "on_timeout": AT_ZERO[number % 3]}
        seats = SEATS[number // 2 % 3]
        match = opened(self.ada, seats, self.game.slug, options=options, **terms)
        self.ids.append(match.id)
        self.join(match)

    def join(self, match: MatchSnapshot) -> MatchSnapshot:
        """Ben takes the seat that waits for him, as long as he is there."""
        waits = match.status == "open" and User.objects.filter(id=self.ben.id, is_active=True)
        return joining.join(match_id=match.id, user=self.ben) if waits else match

    def play(self, match: MatchSnapshot, number: int) -> None:
        played(match, match.version + number % 90, self.rng)

    def load(self, match: MatchSnapshot, cards: Any, version: int) -> None:
        new = loading.load(match_id=match.id, user=self.ada, cards=cards, version=version)
        self.ids.append(new.id)
        self.play(self.join(new), version % 60)

    def archive(self, number: int) -> None:
        """All that runs is called off and all that is over is folded, in any order."""
        matches = self.end()
        before = [record.write(records.of(match)) for match in matches]
        for match in Random(number).sample(matches, len(matches)):
            folding.fold(match.id)
            assert list(verification.faults(match)) == []
        assert [record.write(records.of(match)) for match in matches] == before

    def end(self) -> list[MatchSnapshot]:
        for match_id in self.ids:
            if not get_match(match_id).is_over:
                called_off(get_match(match_id))
        self.clock.shift(timedelta(days=1))
        return [get_match(match_id) for match_id in self.ids]


def told(match: MatchSnapshot) -> list[Any]:
    """The answers to readers of a match that is over: record, log, past, rounds, verdict."""
    return [
        record.write(records.of(match)),
        list(log_entries(match)),
        list(log_entries(match, after=2, until=match.version // 2)),
        entries_between([(match, 0, 5), (match, match.version - 3, match.version)]),
        [_then(match, version) for version in _looked_at(match)],
        [
            (r.number, r.opening_version, r.scores, r.opened_at, r.closed_at)
            for r in rounds_of(match)
        ],
        [(r.number, r.undone_at, bytes(r.decks)) for r in rounds_of_match(match)],
        closed_scores(match),
        history_until(match, match.version // 2),
        [_told_to(match, seat) for seat in (None, *range(len(match.seats)))],
    ]


def _told_to(match: MatchSnapshot, seat: int | None) -> Any:
    """The match as this seat (``None``: a spectator) may see it, also where others see all."""
    half = match.version // 2
    events = plain_events(match, log_entries(match), seat, shows_all=False)
    view = match.rules.view(match_at(match, half).state, seat)
    return events, view, timeline(match, half, match.version, seat)


def _looked_at(match: MatchSnapshot) -> list[int]:
    openings = [one.opening_version for one in rounds_of_match(match, with_cards=False)]
    some = {0, 1, match.version // 3, match.version // 2, match.version, match.parent_version or 0}
    some |= {*openings[:FIRST_ROUNDS], *openings[-LAST_ROUNDS:]}
    return sorted({v for v in some if v <= match.version})


def _then(match: MatchSnapshot, version: int) -> Any:
    """Also as a page reads it, which has nothing but the match as it was."""
    then = match_at(match, version)
    near = list(log_entries(then, after=version - 4, until=version))
    saves = [(one.number, one.scores) for one in rounds_of(then)]
    return then.state_json, then.seats, then.round, near, saves, choices_at(match, version)


def check(match: MatchSnapshot) -> None:
    """It follows from its seed and moves, and so does what it tells of its past."""
    assert list(verification.faults(match)) == []
    assert record.verify(record.write(records.of(match))) is None
    if match.loaded is not None:
        _check_past(match)


def _check_past(match: MatchSnapshot) -> None:
    """The past is the parent's, dealt again where the load did, whatever is stored of it here."""
    parent, begun, loaded = get_match(match.parent_id), match.parent_version, match.loaded
    past = history_until(parent, begun)
    if loaded.reshuffled:
        state = match_at(parent, begun).state
        again = match.rules.redeal(state, past, frozenset(loaded.seats), Sealed(match.seed))
        assert again.moved == loaded.moved
        assert again.state == match.rules.decode_state(loaded.state.encode())
        past = again.history(past)
    assert history_until(match, begun) == past
    assert sum(len(step.decks) for step in past) == loaded.shuffles
    for version, state in _played_again(match, past):
        if version != begun and version in _looked_at(match):
            assert match_at(match, version).state == state


def _played_again(match: MatchSnapshot, past: list[HistoryStep]) -> Iterator[tuple[int, Any]]:
    text = match.rules.card_text
    decks = [[[text(card) for card in deck] for deck in step.decks] for step in past]
    state = match.rules.start(match.options, match.setups, Stacked(decks[0], text)).state
    yield 0, state
    for entry in log_entries(match, after=0, until=len(past) - 1):
        if entry.move != RESIGN:
            dealt = Stacked(decks[entry.version], text)
            state = match.rules.play_past(state, entry.seat, entry.move, dealt).state
        yield entry.version, state


def copy_past(match: MatchSnapshot) -> MatchSnapshot:
    """The match as releases up to 0.1 stored it: with all of its past in rows of its own."""
    if match.loaded is None or not match.loaded.past_in_parent:
        return match
    begun, rounds = match.parent_version, rounds_of_match(match)
    states = {one: match_at(match, one.opening_version).state_json for one in rounds}
    opened_at = {one.opening_version for one in rounds}
    plies = [
        Ply(
            match_id=match.id,
            version=entry.version,
            seat=entry.seat,
            move=entry.move,
            events=_json(entry.events),
            decks=_json(entry.decks) if entry.decks and entry.version not in opened_at else None,
            at=entry.at,
        )
        for entry in log_entries(match, until=begun)
    ]
    Ply.objects.filter(match_id=match.id, version__lte=begun).delete()
    Ply.objects.bulk_create(plies)
    own = set(Round.objects.filter(match_id=match.id).values_list("pk", flat=True))
    for one in rounds:
        if one.pk not in own:
            state = states[one]
            Round.objects.create(match_id=match.id, opening_state=state, **_kept(one))
    loaded = msgspec.structs.replace(match.loaded, past_in_parent=False, retold_since=None)
    Match.objects.filter(id=match.id).update(loaded=_json(loaded))
    return now(match)


def _kept(round_: Round) -> dict[str, Any]:
    names = ("number", "opening_version", "scores", "opened_at", "closed_at", "decks")
    return {name: getattr(round_, name) for name in names}


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)
