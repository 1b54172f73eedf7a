"""The deck doctor: what would mend a side deck of Pazaak, which of its cards earn what, and how it
stands in a field of others.

    cardroom doctor P1,P1,P2,P2,P3,P3,P4,P4,P5,P5 --field public --seed 1

The six rules of ``gambler`` play every deck. Whatever is compared plays the same deals, each at
either seat, and a card swapped in lies where the one that left lay, so that a difference comes of
this card alone. A deal has one rival, in turn; its two matches count as one observation.

Every single swap is tried in a few deals, the best of them in more, the last eight in many new
ones: their intervals hold for all eight together, so that of the one chosen in the end holds too.
The result depends on the request alone, not on where the work paused or what played it.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Any, Final

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.request import LARGEST_SEED, Part, check_within
from cardroom.arena.statistics import (
    ArenaError,
    BadRequest,
    Interval,
    score_interval,
    sequences_interval,
    student95,
)
from cardroom.rules.pazaak.bots import meeting
from cardroom.rules.pazaak.bots.meeting import BY_DEAL, MOST_SCORE, MeetingScores
from cardroom.rules.pazaak.bots.world import NUMBER
from cardroom.rules.pazaak.options import PRESETS, PazaakOptions
from cardroom.rules.pazaak.side_cards import (
    CATALOGUES,
    READY_MADE,
    cheater_deck,
    faults,
    in_order,
    legal_catalogues,
    reference_deck,
)
from cardroom.rules.shuffles import start
from cardroom.rules.text import one_after_the_other, say

Deck = tuple[str, ...]

GAME: Final = "pazaak"
MOST_RIVALS: Final = 8
FEWEST_DEALS: Final = 20
MOST_DEALS: Final = 40_000
USUAL_DEALS: Final = 20_000  # that the last swaps are tried in, by compiled code
FEW_DEALS: Final = 400  # without
KEPT: Final = (40, 8)  # swaps that go on after the first two stages
SHARES: Final = (30, 6, 1, 6)  # of the deals of the last swaps one in so many, by stage
TRYING, NARROWING, DECIDING, MATCHING, DONE = range(5)
COMPILED_AT_ONCE: Final = 10_000  # matches between two looks at the clock
PLAIN_AT_ONCE: Final = 400
STEPS: Final = 4_000  # towards the equilibrium


class Examination(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True,
    tag_field="kind", tag="doctor",
):  # fmt: skip
    """A deck and the field it is examined against; ``deals`` are those of the last swaps."""

    deck: Deck
    field: tuple[Deck, ...]
    preset: str
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)]
    deals: Annotated[int, msgspec.Meta(ge=FEWEST_DEALS, le=MOST_DEALS)]

    @property
    def options(self) -> PazaakOptions:
        return PRESETS[self.preset]


class Sum(msgspec.Struct):
    """Whole numbers that were observed: how often, their sum, the sum of their squares."""

    times: int = 0
    total: int = 0
    squares: int = 0

    def add(self, values: Sequence[int]) -> None:
        self.times += len(values)
        self.total += sum(values)
        self.squares += sum([value * value for value in values])

    def spread(self) -> float:
        """The standard deviation (n - 1)."""
        return sqrt(
            max(0, self.times * self.squares - self.total**2) / self.times / (self.times - 1)
        )


class ExaminationState(msgspec.Struct):
    """The interim result: ``deals`` of this ``stage`` are played, ``done`` matches in all.

    ``sums`` are the gains of ``swaps`` in this stage; ``worths`` what each card of the deck gains
    over what was tried in its place; ``pairs`` the half wins of deck against deck; ``counts`` the
    card notes. Whole numbers all of them, so it does not matter where it pauses.
    """

    swaps: list[int]
    sums: list[Sum]
    worths: list[Sum]
    pairs: list[Sum]
    stage: int = TRYING
    deals: int = 0
    done: int = 0
    compiled: int = 0
    score: Sum = msgspec.field(default_factory=Sum)
    counts: list[list[int]] = msgspec.field(
        default_factory=lambda: [[0] * meeting.COLUMNS for _ in NUMBER]
    )

    @classmethod
    def of(cls, request: Examination) -> "ExaminationState":
        swaps = swaps_of(request)
        return cls(
            swaps=[*range(len(swaps))],
            sums=[Sum() for _ in swaps],
            worths=[Sum() for _ in set(request.deck)],
            pairs=[Sum() for _ in range(_pairs(request))],
        )


class SwapResult(msgspec.Struct, frozen=True):
    """``gain``: by how much the share of matches won grows, with its interval."""

    out: str
    into: str
    gain: Interval


class CardShare(msgspec.Struct, frozen=True):
    """The share won of the matches or rounds in which something was so; a tie counts half."""

    times: int
    won: Interval


class CardRound(msgspec.Struct, frozen=True):
    """Rounds that began with the card in the hand, and those in which it was played."""

    held: CardShare
    played: CardShare


class CardResult(msgspec.Struct, frozen=True):
    """A card of the deck. ``worth`` is what the deck wins more often with it than with another card
    of the catalogue instead, in the mean of all; what was won when it was ``drawn`` (of matches) or
    played (of the first, second and later ``rounds``) also tells when such cards are played."""

    card: str
    copies: int
    worth: Interval
    drawn: CardShare
    rounds: tuple[CardRound, ...]


class Equilibrium(msgspec.Struct, frozen=True):
    """How often to bring each deck so that none of them wins more than half against it.

    By the shares that were measured the best answer wins ``exploitability`` more than half, by
    what they may really be (all at once, 95 %) ``at_most``.
    """

    weights: tuple[float, ...]
    exploitability: float
    at_most: float


class Diagnosis(msgspec.Struct, frozen=True):
    """What an examination found. ``swaps``, the best first, were tried in ``deals`` new deals.

    ``decks`` of the ``matrix`` are the deck, the deck after the best swap, and the field; a row has
    its share of matches won against each.
    """

    examination: Examination
    matches: int
    compiled: int  # of these matches
    deals: int
    score: Interval
    swaps: tuple[SwapResult, ...]
    cards: tuple[CardResult, ...]
    decks: tuple[Deck, ...]
    matrix: tuple[tuple[Interval, ...], ...]
    equilibrium: Equilibrium


def describe(
    deck: Sequence[str],
    field: Iterable[Sequence[str]],
    *,
    preset: str = "classic",
    seed: int = 1,
    deals: int | None = None,
) -> Examination:
    """A checked request; ``BadRequest`` says what is wrong and what is allowed.

    Fewer ``deals`` where nothing can be compiled, as plain Python is far slower.
    """
    if preset not in PRESETS:
        raise BadRequest(f"There is no preset {preset!r}; there are: {', '.join(PRESETS)}.")
    rivals = tuple(dict.fromkeys(_checked(rival, PRESETS[preset]) for rival in field))
    if deals is None:
        deals = USUAL_DEALS if compiled_code.installed() else FEW_DEALS
    check_within("rivals", len(rivals), 1, MOST_RIVALS)
    check_within("seed", seed, 0, LARGEST_SEED)
    check_within("deals", deals, FEWEST_DEALS, MOST_DEALS)
    own = _checked(deck, PRESETS[preset])
    return Examination(deck=own, field=rivals, preset=preset, seed=seed, deals=deals)


def _checked(deck: Sequence[str], options: PazaakOptions) -> Deck:
    wrong = faults(deck, options.catalogue, options.max_copies)
    if wrong:
        raise BadRequest(one_after_the_other(wrong))
    return in_order(deck)


def field_of(name: str, preset: str = "classic") -> tuple[Deck, ...]:
    """``house``: what computers bring; ``public``: the ready-made decks, which everybody may take.

    Decks that the preset does not allow are left out.
    """
    catalogue = PRESETS[preset].catalogue
    fields = {
        "house": (reference_deck(catalogue), cheater_deck(catalogue)),
        "public": tuple(deck.cards for deck in READY_MADE),
    }
    if name not in fields:
        raise BadRequest(
            say(
                "There is no field {name}; there are: {known}.",
                name=repr(name),
                known=", ".join(fields),
            )
        )
    return tuple(deck for deck in fields[name] if catalogue in legal_catalogues(deck))


@cache
def swaps_of(request: Examination) -> tuple[tuple[str, str], ...]:
    """Every single swap that the catalogue allows: the card that leaves, and the one instead."""
    catalogue = CATALOGUES[request.options.catalogue]
    outs = dict.fromkeys(request.deck)
    return tuple((out, into) for out in outs for into in catalogue if into != out)


def after(deck: Deck, out: str, into: str) -> Deck:
    """The deck with the new card where the first one like ``out`` lay."""
    at = deck.index(out)
    return (*deck[:at], into, *deck[at + 1 :])


def deals_of(request: Examination, stage: int) -> int:
    """The deals of a stage; each rival has as many."""
    rivals = len(request.field)
    rounds = -(-request.deals // SHARES[stage] // rivals)
    return rivals * max(rounds, -(-2 // rivals))


def matches_of(request: Examination) -> int:
    """All that an examination plays."""
    tried = len(swaps_of(request))
    meetings = [1 + min(tried, kept) for kept in (tried, *KEPT)]
    meetings.append(_pairs(request))
    return sum(2 * n * deals_of(request, stage) for stage, n in enumerate(meetings))


def _pairs(request: Examination) -> int:
    decks = 2 + len(set(request.field) - {request.deck})
    return decks * (decks - 1) // 2


def decks_of(request: Examination, state: ExaminationState) -> tuple[Deck, ...]:
    """Those of the matrix, once the best swap is known."""
    best = after(request.deck, *swaps_of(request)[state.swaps[0]])
    rivals = (deck for deck in request.field if deck != request.deck)
    return (request.deck, best, *rivals)


def run_until(
    request: Examination,
    _part: Part,
    stop: Callable[[], bool],
    paused: ExaminationState | None = None,
    *,
    compiles: bool = False,
) -> Diagnosis | ExaminationState:
    """Examines from the start or from where it paused, until ``stop`` says so.

    Compiled code does it where that is ready, or may be compiled now.
    """
    state = paused or ExaminationState.of(request)
    meets = compiled_code.meeting_of_game(GAME, compiles=compiles)
    while state.stage < DONE:
        play_some(request, state, meets)
        if state.stage < DONE and stop():
            return state
    return diagnose(request, state)


def play_some(request: Examination, state: ExaminationState, meets: Any) -> None:
    """Plays some deals of the stage, and goes on to the next one after its last."""
    rivals = len(request.field)
    if state.stage == MATCHING:
        decks = decks_of(request, state)
        meetings = [(one, other, 0) for one, other in combinations(range(len(decks)), 2)]
    else:
        swaps = swaps_of(request)
        tried = [after(request.deck, *swaps[number]) for number in state.swaps]
        decks = (request.deck, *request.field, *tried)
        meetings = [(0, BY_DEAL, 1), *((at, BY_DEAL, 0) for at in range(1 + rivals, len(decks)))]
    wanted = deals_of(request, state.stage)
    at_once = PLAIN_AT_ONCE if meets is None else COMPILED_AT_ONCE
    count = min(wanted - state.deals, max(1, at_once // (2 * len(meetings))))
    first = sum(deals_of(request, stage) for stage in range(state.stage)) + state.deals
    numbers = range(first, first + count)
    met = (meets or meeting.meet_plainly)(
        [start(request.seed, "decks", number) for number in numbers],
        [1 + number % rivals for number in numbers],
        meetings,
        [[NUMBER[code] for code in deck] for deck in decks],
        meeting.world_of(request.options),
    )
    matches = 2 * count * len(meetings)
    state.deals += count
    state.done += matches
    state.compiled += matches if meets else 0
    _count(state, met)
    if state.deals == wanted:
        _next_stage(state)


def _count(state: ExaminationState, met: MeetingScores) -> None:
    if state.stage == MATCHING:
        for pair, scores in zip(state.pairs, met.scores, strict=True):
            pair.add(scores)
        return
    own, *others = met.scores
    state.score.add(own)
    gains = [[new - old for new, old in zip(each, own, strict=True)] for each in others]
    for one, gained in zip(state.sums, gains, strict=True):
        one.add(gained)
    for row, noted in zip(state.counts, met.counts, strict=True):
        row[:] = [known + new for known, new in zip(row, noted, strict=True)]
    if state.stage == TRYING:
        of_card = len(gains) // len(state.worths)
        for at, worth in enumerate(state.worths):
            tried = gains[at * of_card : (at + 1) * of_card]
            worth.add([-sum(deal) for deal in zip(*tried, strict=True)])


def _next_stage(state: ExaminationState) -> None:
    if state.stage < MATCHING:
        ranked = sorted(range(len(state.swaps)), key=lambda at: -state.sums[at].total)
        kept = ranked[: KEPT[state.stage]] if state.stage < DECIDING else ranked
        state.swaps = [state.swaps[at] for at in kept]
        state.sums = [state.sums[at] if state.stage == DECIDING else Sum() for at in kept]
    state.stage += 1
    state.deals = 0


def diagnose(request: Examination, state: ExaminationState) -> Diagnosis:
    """The diagnosis, once all matches are played."""
    swaps, decks = swaps_of(request), decks_of(request, state)
    all_at_once = _normal(len(state.swaps))
    outs = list(dict.fromkeys(request.deck))
    of_card = MOST_SCORE * (len(swaps) // len(outs))
    matrix = _matrix(len(decks), state.pairs, _normal(1))
    shares = [[cell.value for cell in row] for row in matrix]
    all_pairs = _matrix(len(decks), state.pairs, _normal(len(state.pairs)))
    weights = equilibrium(shares)
    return Diagnosis(
        examination=request,
        matches=state.done,
        compiled=state.compiled,
        deals=deals_of(request, DECIDING),
        score=_mean(state.score, MOST_SCORE, student95(state.score.times - 1), least=0.0),
        swaps=tuple(
            SwapResult(*swaps[number], _mean(each, MOST_SCORE, all_at_once))
            for number, each in zip(state.swaps, state.sums, strict=True)
        ),
        cards=tuple(
            _card(code, request.deck.count(code), _mean(worth, of_card, _normal(1)), state.counts)
            for code, worth in zip(outs, state.worths, strict=True)
        ),
        decks=tuple(in_order(deck) for deck in decks),
        matrix=tuple(map(tuple, matrix)),
        equilibrium=Equilibrium(
            tuple(weights),
            best_answer(shares, weights),
            best_answer([[cell.high for cell in row] for row in all_pairs], weights),
        ),
    )


def _normal(claims: int) -> float:
    """So many standard errors on either side hold for so many claims at once (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(1, claims))


def _mean(observed: Sum, unit: int, z: float, least: float = -1.0) -> Interval:
    """The mean in units with its interval. Where all are alike something else may still happen once
    in a while: as often as the rule of three allows."""
    mean, error = observed.total / observed.times / unit, observed.spread() / unit
    reach = z * error / sqrt(observed.times) if error else 1 - 0.05 ** (1 / observed.times)
    return Interval(mean, max(least, mean - reach), min(1.0, mean + reach))


def _matrix(decks: int, pairs: Sequence[Sum], z: float) -> list[list[Interval]]:
    """Shares of matches won, row against column; a deck wins half against itself."""
    rows = [[Interval(0.5, 0.5, 0.5)] * decks for _ in range(decks)]
    for (one, other), pair in zip(combinations(range(decks), 2), pairs, strict=True):
        share = pair.total / pair.times / MOST_SCORE
        cell = score_interval(share, 2 * pair.times, z)
        if 0 < share < 1:
            cell = sequences_interval(share, pair.spread() / MOST_SCORE, pair.times, 2, z)
        rows[one][other] = cell
        rows[other][one] = Interval(1 - cell.value, 1 - cell.high, 1 - cell.low)
    return rows


def _card(code: str, copies: int, worth: Interval, counts: Sequence[Sequence[int]]) -> CardResult:
    row = counts[NUMBER[code]]

    def share(at: int) -> CardShare:
        times, halves = row[at], row[at + 1]
        won = score_interval(halves / 2 / times, times) if times else Interval(0.0, 0.0, 1.0)
        return CardShare(times, won)

    firsts = [meeting.FIRST_ROUND + meeting.FIGURES * nth for nth in range(meeting.ROUNDS)]
    return CardResult(
        card=code,
        copies=copies,
        worth=worth,
        drawn=share(meeting.DRAWN),
        rounds=tuple(
            CardRound(share(first + meeting.HELD), share(first + meeting.PLAYED))
            for first in firsts
        ),
    )


def equilibrium(shares: Sequence[Sequence[float]]) -> list[float]:
    """The mixture of decks that no deck beats, by predictive regret matching+ against itself.

    ``shares`` are those that a row wins against a column. The mixtures are averaged with growing
    weight (Farina, Kroer and Sandholm 2021); ``best_answer`` says how near it is.
    """
    count = len(shares)
    regrets, lately, weights = [0.0] * count, [0.0] * count, [0.0] * count
    for step in range(1, STEPS + 1):
        hopes = [max(0.0, known + last) for known, last in zip(regrets, lately, strict=True)]
        total = sum(hopes)
        mixture = [hope / total if total else 1 / count for hope in hopes]
        worths = _worths(shares, mixture)
        value = sum(part * worth for part, worth in zip(mixture, worths, strict=True))
        lately = [worth - value for worth in worths]
        regrets = [max(0.0, known + new) for known, new in zip(regrets, lately, strict=True)]
        weights = [known + step**2 * part for known, part in zip(weights, mixture, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights]


def best_answer(shares: Sequence[Sequence[float]], mixture: Sequence[float]) -> float:
    """The best deck's share above one half against the mixture: a bound of its exploitability."""
    return max(0.0, max(_worths(shares, mixture)) - 0.5)


def _worths(shares: Sequence[Sequence[float]], mixture: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, mixture, strict=True)) for row in shares]


def deck_name(deck: Deck, otherwise: str = "") -> str:
    """The name of a ready-made deck; of another one its cards, unless a name is given."""
    named = (each.name for each in READY_MADE if each.cards == deck)
    return next(named, otherwise or " ".join(deck))


def lines(diagnosis: Diagnosis) -> Iterable[str]:
    """The diagnosis as a person reads it in a terminal."""

    def percent(share: Interval, sign: str = "") -> str:
        low, high = 100 * share.low, 100 * share.high
        return f"{100 * share.value:{sign}.1f} ({low:{sign}.1f} to {high:{sign}.1f})"

    request = diagnosis.examination
    plain = "" if diagnosis.compiled else " in plain Python, which is slow: so few deals"
    yield (
        f"{deck_name(request.deck)}, {len(request.field)} rivals, {request.preset}, "
        f"seed {request.seed}: {diagnosis.matches:,} matches{plain}. Percent, 95 % intervals."
    )
    yield f"Wins {percent(diagnosis.score)} against the field."
    yield f"Best swaps, in {diagnosis.deals:,} new deals (the intervals hold for all together):"
    for swap in diagnosis.swaps:
        yield f"  {swap.out:>4} for {swap.into:<4} {percent(swap.gain, '+')}"
    yield "Cards: worth; won of matches when drawn; of rounds when played, round 1, 2, later:"
    for card in diagnosis.cards:
        rounds = " ".join(f"{100 * each.played.won.value:5.1f}" for each in card.rounds)
        drawn = f"{100 * card.drawn.won.value:.1f}"
        yield f"  {card.copies} × {card.card:<4} {percent(card.worth, '+'):<24} {drawn}   {rounds}"
    yield "Decks, how often to bring each in equilibrium, and what each wins against the others:"
    for nth, (deck, row) in enumerate(zip(diagnosis.decks, diagnosis.matrix, strict=True)):
        shares = " ".join(f"{100 * cell.value:5.1f}" for cell in row)
        weight = 100 * diagnosis.equilibrium.weights[nth]
        yield f"  {nth + 1:>2} {weight:5.1f}   {shares}   {deck_name(deck)}"
    bound = diagnosis.equilibrium
    yield (
        f"No deck of these wins more than {50 + 100 * bound.exploitability:.2f} against that "
        f"mixture by what was measured, {50 + 100 * bound.at_most:.1f} by the intervals."
    )


READY: Final = {deck.slug: deck.cards for deck in READY_MADE}


def _deck(text: str) -> Deck:
    """Cards with commas between, or a ready-made deck by its slug."""
    if "," in text:
        return tuple(card.strip() for card in text.split(","))
    if text not in READY:
        raise BadRequest(f"There is no ready-made deck {text!r}; there are: {', '.join(READY)}.")
    return READY[text]


def _rivals(text: str, preset: str) -> tuple[Deck, ...]:
    return (_deck(text),) if "," in text or text in READY else field_of(text, preset)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="cardroom doctor", description="Examine a side deck of Pazaak."
    )
    parser.add_argument("deck", help="ten cards with commas between, or a ready-made deck's slug")
    parser.add_argument("--field", action="append", help="house, public (usual), or a rival's deck")
    parser.add_argument("--preset", choices=list(PRESETS), default="classic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, help="that the last swaps are tried in")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    given = parser.parse_args(argv)
    terms = {"preset": given.preset, "seed": given.seed, "deals": given.deals}
    try:
        field = [each for name in given.field or ["public"] for each in _rivals(name, given.preset)]
        request = describe(_deck(given.deck), field, **terms)
    except ArenaError as error:
        parser.error(str(error))
    state: Diagnosis | ExaminationState | None = None
    begun, matches = time.monotonic(), matches_of(request)
    while not isinstance(state, Diagnosis):
        state = run_until(request, Part(0, matches), lambda: True, state, compiles=True)
        if isinstance(state, ExaminationState) and sys.stderr.isatty():
            print(f"\r{state.done:,} of {matches:,} matches", end="", file=sys.stderr)  # noqa: T201
    for line in lines(state):
        print(line)  # noqa: T201
    print(f"{time.monotonic() - begun:.1f} s")  # noqa: T201
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(state), indent=2) + b"\n")
    return 0
