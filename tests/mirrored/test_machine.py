"""The secrets of mirrored sets against everything that people, operators and the beat do.

After each step somebody reads every match. While a set runs nobody reads a seed or a whole deck of
any of its matches, nobody but its seats reads a match that has begun, none is loaded, and nobody
is told which are a pair; afterwards all is told. ``make fuzz`` runs many and longer ones.
"""

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.mirrored import opening
from games.mirrored.models import Leg, MirroredSet
from tests.api.calls import get, post
from tests.matches.scenes import played
from tests.mirrored.sets import SHORT
from tests.mirrored.test_secrecy import all_secrets
from tests.rules.playing import FUZZING
from tests.security import sealed_machine
from tests.security.sealed_machine import SealedMatches, which

EXAMPLES, STEPS = (FUZZING // 4, 40) if FUZZING else (2, 8)
players = st.sampled_from(["ada", "ben"])
games = st.sampled_from(sorted(SHORT))
RIVALS = {"pisti": "greedy", "pazaak": "gambler", "shithead": "lowest"}


class Sets(SealedMatches):
    ACTS = ("join", "resign", "abort", "rematch", "leave")
    PARTS = (*SealedMatches.PARTS, "/mirrored")

    @initialize(game=games)
    def begin(self, game):
        self.open_set("ada", game, against="bot")

    @rule(name=players, game=games, against=st.sampled_from(["bot", "open", "teams"]))
    def open_set(self, name, game, against):
        bot = {"kind": "bot", "bot": RIVALS[game]}
        other = {"ada": "ben", "ben": "ada"}[name]
        partner = {"kind": "user", "username": other}
        seats = {"bot": [bot], "open": [{"kind": "open"}], "teams": [bot, partner, bot]}[against]
        body = {"game": game, "options": SHORT[game], "mirrored": True}
        answer = post(self.programs[name], "matches", body | {"seats": [{"kind": "me"}, *seats]})
        assert answer.status_code in (201, 422, 429)

    @rule(at=which)
    def play_out(self, at):
        if match := self.match(at):
            played(match)

    @rule()
    def beat(self):
        opening.go_on_with_all()

    def ids(self):
        begun = Leg.objects.exclude(match=None)
        return begun.order_by("id").values_list("match", flat=True)

    def is_sealed(self, match):
        return MirroredSet.objects.filter(legs__match=match.id, over_at=None).exists()

    @invariant()
    def nobody_learns_a_sealed_deal(self):
        self.steps += 1
        names = list(self.programs)
        name = names[self.steps % len(names)]
        read = "".join(self.reads(self.programs[name]))
        for match_id in Leg.objects.exclude(match=None).values_list("match", flat=True):
            match = get_match(match_id)
            if not self.is_sealed(match):
                continue
            assert not [secret for secret in all_secrets(match) if secret in read], name
            seated = any(seat.user_id == self.users[name].pk for seat in match.seats)
            answer = get(self.programs[name], f"matches/{match_id}")
            if match.started_at is not None and not seated:
                assert answer.status_code == 404
            if answer.status_code == 200:
                told = get(self.programs[name], f"matches/{match_id}/mirrored").json()
                assert told["result"] is None

    @invariant()
    def a_set_that_is_over_has_no_match_that_runs_and_at_most_one_of_a_set_runs(self):
        over = Match.objects.filter(
            id__in=Leg.objects.filter(of__over_at__isnull=False).values("match")
        )
        assert not over.filter(status__in=["open", "active"]).exists()
        for of in MirroredSet.objects.filter(form="set"):
            running = of.legs.filter(match__status__in=["open", "active"])
            assert running.count() <= 1


def test_a_set_keeps_its_secrets(ada, ben, cleo, keyed, rates):
    rates(user="1000000/min", moves="1000000/min")
    users = {"ada": ada, "ben": ben, "cleo": cleo}
    sealed_machine.run(Sets, users, keyed, examples=EXAMPLES, steps=STEPS)
