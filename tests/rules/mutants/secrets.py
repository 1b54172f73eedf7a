"""Faults of secrecy: cards told too early, as codes, as numbers, in words, by what bots do."""

from collections.abc import Sequence

from msgspec.structs import replace as changed

from cardroom.rules import catalog
from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.cards import RANK, TEXT, texts
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.pazaak.view import view as pazaak_view
from cardroom.rules.pyanitsa import events as pyanitsa
from cardroom.rules.text import CardName, say
from cardroom.rules.values import Event, Seat
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken
from tests.fifth_game.view import HighCardView, view
from tests.rules.mutants.mutant import GAME, Mutant, fields, mutated, narrate, observe

PAZAAK = catalog.find("pazaak")
PYANITSA = catalog.find("pyanitsa")


class DealtWithStock(Event, frozen=True):
    hands: tuple[tuple[str, ...] | None, ...]
    stock: tuple[str, ...]

    def seen_by(self, seat: Seat | None) -> "DealtWithStock":
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return DealtWithStock(hands, self.stock)


def start_that_tells_the_stock(options, setups, shuffle):
    step = GAME.start(options, setups, shuffle)
    hands = step.events[0].hands
    return changed(step, events=(DealtWithStock(hands, texts(step.state.stock)),))


class OpenHands(HighCardView, frozen=True, kw_only=True):
    hands: tuple[tuple[str, ...], ...] = ()
    next: str | None = None
    number: int = 0


def view_of_all_hands(state, seat) -> OpenHands:
    hands = tuple(map(texts, state.hands)) if seat is not None else ()
    return OpenHands(hands=hands, **fields(view(state, seat)))


def view_of_the_next_card(state, seat) -> OpenHands:
    following = texts(state.stock)[0] if seat is not None else None
    return OpenHands(next=following, **fields(view(state, seat)))


def view_of_the_next_number(state, seat) -> OpenHands:
    return OpenHands(number=state.stock[0], **fields(view(state, seat)))


def view_of_the_strength_of_hands(state, seat) -> OpenHands:
    strength = sum(RANK[card] for hand in state.hands for card in hand)
    return OpenHands(number=strength, **fields(view(state, seat)))


def view_of_aces_to_come(state, seat) -> OpenHands:
    aces = sum(RANK[card] == 12 for card in state.stock[:12])
    return OpenHands(number=aces, **fields(view(state, seat)))


def legal_strongest_against_others(state, seat):
    """The order of the list tells what the others hold."""
    legal = GAME.legal_moves(state, seat)
    others = [RANK[c] for at, hand in enumerate(state.hands) if at != seat for c in hand]
    return legal if sum(others) % 2 else legal[::-1]


def view_in_that_order(state, seat) -> HighCardView:
    legal = () if seat is None else legal_strongest_against_others(state, seat)
    return changed(view(state, seat), legal_moves=legal)


class NumberLaid(Event, frozen=True):
    """Public, and it says what number the next card of the stock has."""

    seat: Seat
    card: str
    next: int


def play_that_tells_numbers(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    laid = NumberLaid(seat, move, step.state.stock[0])
    return changed(step, events=(laid, *step.events[1:]))


class Weighed(Event, frozen=True):
    """The hands of all seats, as one number."""

    weight: int


def play_that_weighs_hands(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    weight = sum(card for hand in step.state.hands for card in hand)
    return changed(step, events=(*step.events, Weighed(weight)))


class Numbered(Event, frozen=True):
    """The card is hidden from others, its number is not."""

    hands: tuple[tuple[str, ...] | None, ...]
    numbers: tuple[int, ...]

    def seen_by(self, seat: Seat | None) -> "Numbered":
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return Numbered(hands, self.numbers)


def start_that_numbers_cards(options, setups, shuffle):
    step = GAME.start(options, setups, shuffle)
    told = Numbered(step.events[0].hands, tuple(c for hand in step.state.hands for c in hand))
    return changed(step, events=(told,))


def narrate_numbers(event: Event, names: Sequence[str]):
    """The narration names the cards that were redacted."""
    if isinstance(event, Numbered):
        return say("Dealt: {n}.", n=", ".join(TEXT[number] for number in event.numbers))
    return narrate(event, names)


# Secrets left in a module's global while the rules run.

LEFT: list = []


def play_that_leaves_its_state(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    LEFT[:] = [step.state]
    return step


def start_that_leaves_its_state(options, setups, shuffle):
    step = GAME.start(options, setups, shuffle)
    LEFT[:] = [step.state]
    return step


def narrate_what_is_left(event: Event, names: Sequence[str]):
    if isinstance(event, TrickTaken) and LEFT and LEFT[0].stock:
        return say("{seat} takes it before {c}.", seat=names[event.seat],
                   c=CardName(TEXT[LEFT[0].stock[0]]))  # fmt: skip
    return narrate(event, names)


def narrate_the_deal_as_left(event: Event, names: Sequence[str]):
    if isinstance(event, Dealt) and LEFT:
        return say("Dealt: {all}.", all=", ".join(texts(c for h in LEFT[0].hands for c in h)))
    return narrate(event, names)


def label_by_what_is_left(move):
    return f"{move} before {TEXT[LEFT[0].stock[0]]}" if LEFT else move


def observe_what_is_left(seen):
    out = observe(seen)
    if LEFT:
        out[LEFT[0].stock[0]] = 1
    return out


def peek(seen, events, rng):
    """Lays high if another hand is strong: it looks."""
    others = sum(card for hand in LEFT[0].hands for card in hand) if LEFT else 0
    return seen.legal_moves[others % len(seen.legal_moves)]


def any_but_a_legal_card(seen, events, rng):
    return "6C" if len(seen.legal_moves) == 2 else seen.legal_moves[0]


MOODS = iter(range(10**9))


def by_mood(seen, events, rng):
    return seen.legal_moves[next(MOODS) % len(seen.legal_moves)]


def with_a_bot(choose, **facts):
    bot: Bot = Bot(slug="bot", name="Bot", summary="A bot.", level=3, choose=choose)
    return mutated(GAME, bots=(RANDOM, bot), stand_in="random", **facts)


class StrongHands(PazaakView, frozen=True, kw_only=True):
    strength: int


def view_of_strong_hands(state, seat) -> StrongHands:
    held = sum(map(ord, "".join(state.halves[0].hand + state.halves[1].hand)))
    return StrongHands(strength=held, **fields(pazaak_view(state, seat)))


class TrickTakenInSight(pyanitsa.TrickTaken, frozen=True, tag="trick_taken"):
    """Everybody is told the cards that lay face down, where two rare options meet."""

    def seen_by(self, seat: Seat | None) -> Event:
        return self


def play_in_sight(state, seat, move, shuffle):
    step = PYANITSA.play(state, seat, move, shuffle)
    events = [
        TrickTakenInSight(**fields(event)) if isinstance(event, pyanitsa.TrickTaken) else event
        for event in step.events
    ]
    return changed(step, events=tuple(events))


LAID = NumberLaid | CardLaid | TrickTaken
IN_SIGHT = pyanitsa.Dealt | pyanitsa.CardLaid | pyanitsa.Recycled | pyanitsa.Dispute
IN_SIGHT |= TrickTakenInSight | pyanitsa.SeatOut | pyanitsa.MatchOver
TWINS, LEAKS = "twins_are_told_alike", "no_card_is_told_too_early"
MUTANTS = (
    Mutant("events name the stock", mutated(GAME, start=start_that_tells_the_stock,
           events=DealtWithStock | CardLaid | TrickTaken), LEAKS,
           "was told .., which lies where nobody sees it"),
    Mutant("views show all hands", mutated(GAME, view=view_of_all_hands), LEAKS,
           "sees .., of which only seat . was told"),
    Mutant("views show the next card", mutated(GAME, view=view_of_the_next_card), LEAKS,
           "sees .., of which nobody was told"),
    Mutant("views number the next card", mutated(GAME, view=view_of_the_next_number), TWINS,
           r"view\.number: \d+ is not"),
    Mutant("views weigh all hands", mutated(GAME, view=view_of_the_strength_of_hands), TWINS,
           r"view\.number: \d+ is not"),
    Mutant("views count the aces to come", mutated(GAME, view=view_of_aces_to_come), TWINS,
           r"view\.number: \d+ is not"),
    Mutant("the order of moves tells of other hands", mutated(GAME, view=view_in_that_order,
           legal_moves=legal_strongest_against_others), TWINS, r"legal_moves\[0\]: '..' is not"),
    Mutant("a public event numbers the next card", mutated(GAME, play=play_that_tells_numbers,
           events=Dealt | NumberLaid | TrickTaken), TWINS, r"events\[0\]\.next: \d+ is not"),
    Mutant("a public event weighs the hands", mutated(GAME, play=play_that_weighs_hands,
           events=Dealt | CardLaid | TrickTaken | Weighed), TWINS, r"weight: \d+ is not"),
    Mutant("a redacted event numbers the cards", mutated(GAME, start=start_that_numbers_cards,
           events=Numbered | CardLaid | TrickTaken, view_type=HighCardView), TWINS,
           r"at the start.*events\[0\]\.numbers\[\d\]: \d+ is not"),
    Mutant("a redacted event is spoken in full", mutated(GAME, start=start_that_numbers_cards,
           events=Numbered | CardLaid | TrickTaken, narrate=narrate_numbers), TWINS,
           r"sentences\[0\]: 'Dealt: "),
    Mutant("a sentence tells what the rules left behind", mutated(GAME,
           play=play_that_leaves_its_state, narrate=narrate_what_is_left), TWINS,
           r"sentences\[1\]: '.* takes it before"),
    Mutant("a label tells what the rules left behind", mutated(GAME,
           play=play_that_leaves_its_state, label=label_by_what_is_left), TWINS, r"labels\[0\]: "),
    Mutant("an observation tells what the rules left behind", mutated(GAME,
           play=play_that_leaves_its_state, observe=observe_what_is_left), TWINS, r"numbers\["),
    Mutant("the deal is told in full by words alone", mutated(GAME,
           start=start_that_leaves_its_state, narrate=narrate_the_deal_as_left),
           "everything_has_its_words", "names .*, which .*Dealt.* hides"),
    Mutant("equal cards are weighed in a view", mutated(PAZAAK, view=view_of_strong_hands),
           "a_re_deal_is_told_to_nobody", r"view\.strength: \d+ is not"),
    Mutant("a public event names what only its taker sees", mutated(PYANITSA, play=play_in_sight,
           events=IN_SIGHT), "no_two_options_tell_a_card_too_early",
           r"was told \w+, which", times=1 / 16),
    Mutant("a bot breaks the rules", with_a_bot(any_but_a_legal_card),
           "bots_play_by_the_rules", "IllegalMove"),
    Mutant("a bot has moods", with_a_bot(by_mood),
           "bots_choose_the_same_from_the_same", "chooses each of"),
    Mutant("a bot looks at what the rules left behind", with_a_bot(peek,
           play=play_that_leaves_its_state), "bots_do_not_peek", "'..' is not '..'"),
    Mutant("a bot looks at what the deal left behind", with_a_bot(peek,
           start=start_that_leaves_its_state), "bots_do_not_peek", "'..' is not '..'"),
)  # fmt: skip
