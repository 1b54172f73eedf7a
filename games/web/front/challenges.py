"""The challenges of the lobby: those that wait for the reader, and for others."""

from dataclasses import dataclass
from uuid import UUID

from games.absent import rules_of
from games.language import words
from games.lobby.challenges.reading import challenges_of
from games.lobby.challenges.terms import ChallengeTerms
from games.web.parts.terms import pace_in_words


@dataclass(frozen=True)
class ChallengeLine:
    """``other`` is the name of the person whom the reader challenges, or who challenges them."""

    terms: ChallengeTerms
    is_own: bool

    @property
    def other(self) -> str:
        return (self.terms.challenged if self.is_own else self.terms.challenger).name

    @property
    def game(self) -> str:
        return words(rules_of(self.terms.game, 1).name)

    @property
    def pace(self) -> str:
        return pace_in_words(self.terms.turn_seconds, self.terms.clock)


def waiting_challenges(user: UUID, username: str) -> list[ChallengeLine]:
    waiting = [one for one in challenges_of(user) if one.status == "waiting"]
    return [ChallengeLine(one, one.challenger.username == username) for one in waiting]
