"""Every write of decks: crafting, importing, legality, measuring; and their refusals."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Annotated, Final, Literal
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from msgspec import Meta, Struct, ValidationError, convert

from accounts.locking import counted_with, locked_accounts
from accounts.models import User
from cardroom.arena import doctor
from cardroom.arena.request import LARGEST_SEED
from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.side_cards import CARD, CODES, READY_MADE, faults, in_order, unknown_card
from cardroom.rules.text import Phrase, Words, one_after_the_other, say
from config.refusals import NotFound, Refusal
from decks import selectors
from decks.models import NAME_LENGTH, Deck, Measurement
from games.simulations import work
from games.simulations.models import Simulation

# Refusals of the deck services.


class BadDeck(Refusal, status=422, members={"faults": list[str]}):
    """The deck is not one; ``faults`` names everything that is wrong, a sentence each."""

    def __init__(self, faults: Sequence[Words]) -> None:
        super().__init__(one_after_the_other(faults), faults=list(faults))


class DeckNameTaken(Refusal, status=409):
    """You have a deck of this name already. Choose another name."""


class TooManyDecks(Refusal, status=409, members={"limit": int}):
    """You have as many decks as one account may have. Delete one first."""


class NoSuchDeck(NotFound):
    """You have no such deck."""


class NotExamined(NotFound):
    """Nobody has asked the deck doctor for this yet."""


class TooManyMeasurements(Refusal, status=409):
    """You have as many decks measured at once as one account may have. Try again in a minute."""


# Whether something may be saved as a deck: every fault of the name and the cards at once.


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def check(*, name: str, cards: Sequence[str]) -> None:
    """Raises ``BadDeck`` with each fault of the name and of the cards."""
    faults = [*name_faults(shown_name(name)), *side_cards.faults(cards)]
    if faults:
        raise BadDeck(faults)


def name_faults(name: str) -> Iterator[Phrase]:
    if not name:
        yield say("A deck needs a name.")
    if len(name) > NAME_LENGTH:
        yield say(
            "A deck's name has at most {most} characters; this one has {n}.",
            most=NAME_LENGTH,
            n=len(name),
        )
    if not name.isprintable():
        yield say("A deck's name has printable characters only.")


# Make, change, copy and delete decks. No match changes with them (pazaak R2).

MOST_DECKS = 100


def create_deck(
    *, owner: UUID, name: str, cards: Sequence[str], is_default: bool | None = None
) -> Deck:
    """A new deck; an owner's first is the default one unless `is_default` is given.

    Raises BadDeck, DeckNameTaken, TooManyDecks.
    """
    name = shown_name(name)
    check(name=name, cards=cards)
    with _locked_owner(owner):
        decks, owners = selectors.of(owner), counted_with(owner)
        most = owners.most(MOST_DECKS)
        if Deck.objects.filter(owner__in=owners.ids).count() >= most:
            raise TooManyDecks(limit=most)
        if is_default is None:
            is_default = not decks.exists()
        deck = Deck(owner_id=owner, name=name, cards=list(in_order(cards)), is_default=is_default)
        _clear_other_default(deck)
        deck.save(force_insert=True)
    return deck


def update_deck(
    *,
    owner: UUID,
    deck_id: UUID,
    name: str | None = None,
    cards: Sequence[str] | None = None,
    is_default: bool | None = None,
) -> Deck:
    """Changes a deck; None leaves a field as it is. Raises NoSuchDeck, BadDeck, DeckNameTaken."""
    with _locked_owner(owner):
        deck = get_deck(owner=owner, deck_id=deck_id)
        name = deck.name if name is None else shown_name(name)
        cards = deck.cards if cards is None else cards
        check(name=name, cards=cards)
        deck.name, deck.cards = name, list(in_order(cards))
        deck.is_default = deck.is_default if is_default is None else is_default
        _clear_other_default(deck)
        deck.updated_at = Now()
        deck.save(force_update=True)
        deck.refresh_from_db(fields=["updated_at"])
    return deck


def delete_deck(*, owner: UUID, deck_id: UUID) -> None:
    """Deletes a deck. Raises NoSuchDeck."""
    with _locked_owner(owner):
        deleted, _ = selectors.of(owner).filter(pk=deck_id).delete()
    if not deleted:
        raise NoSuchDeck


def copy_deck(*, owner: UUID, deck_id: UUID, name: str = "") -> Deck:
    """The same cards under this name, with a number if it is taken.

    Raises NoSuchDeck, TooManyDecks.
    """
    deck = get_deck(owner=owner, deck_id=deck_id)
    return create_deck(
        owner=owner, name=free_name(owner, name or f"{deck.name} copy"), cards=deck.cards
    )


def copy_ready_made(*, owner: UUID, slug: str) -> Deck:
    """A ready-made deck as the owner's own. Raises NoSuchDeck, TooManyDecks."""
    ready = next((deck for deck in READY_MADE if deck.slug == slug), None)
    if ready is None:
        raise NoSuchDeck("There is no such ready-made deck.")
    return create_deck(owner=owner, name=free_name(owner, ready.name), cards=ready.cards)


def get_deck(*, owner: UUID, deck_id: UUID) -> Deck:
    """The owner's deck. Raises NoSuchDeck."""
    deck = selectors.of(owner).filter(pk=deck_id).first()
    if deck is None:
        raise NoSuchDeck
    return deck


def free_name(owner: UUID, name: str) -> str:
    """``name`` or, if the owner has a deck of that name, the name with the next free number."""
    taken = {each.upper() for each in selectors.of(owner).values_list("name", flat=True)}
    return next(each for each in _numbered(name) if each.upper() not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name[:NAME_LENGTH]
    for number in count(2):
        ending = f" {number}"
        yield name[: NAME_LENGTH - len(ending)] + ending


def _clear_other_default(deck: Deck) -> None:
    """An owner has one default deck at most."""
    if deck.is_default:
        others = selectors.of(deck.owner_id).filter(is_default=True).exclude(pk=deck.pk)
        others.update(is_default=False)


@contextmanager
def _locked_owner(owner: UUID) -> Iterator[None]:
    """Serializes the writes of one owner. Raises DeckNameTaken."""
    try:
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=owner)
            yield
    except IntegrityError as error:
        if "deck_name_is_unique_regardless_of_case" in str(error):
            raise DeckNameTaken from error
        raise


# Decks from elsewhere: a share code, or a text with one card code a line.

Code = Annotated[str, Meta(max_length=100)]
IMPORTED = say("Imported deck")  # the name if none is given; a door renders it for the owner


def from_code(*, owner: UUID, code: str, name: str = "", unnamed: str = str(IMPORTED)) -> Deck:
    """A deck from a share code. Raises BadDeck for a mistyped one, and what ``create`` raises."""
    return _create(owner, name, unnamed, read_code(code))


def from_text(*, owner: UUID, text: str, name: str = "", unnamed: str = str(IMPORTED)) -> Deck:
    """A deck from lines. Raises BadDeck naming each faulty line, and what ``create`` raises."""
    return _create(owner, name, unnamed, read_text(text))


def from_either(*, owner: UUID, typed: str, name: str = "", unnamed: str = str(IMPORTED)) -> Deck:
    """A deck from one field of a form: a share code or the lines of a deck."""
    return _create(owner, name, unnamed, read_either(typed))


def read_either(typed: str) -> tuple[str, ...]:
    return read_code(typed) if _looks_like_a_code(typed) else read_text(typed)


def read_code(code: str) -> tuple[str, ...]:
    try:
        return selectors.decode_deck(code)
    except selectors.BadCode as error:
        raise BadDeck([error.sentence]) from None


def read_text(text: str) -> tuple[str, ...]:
    """The cards of the lines; small letters and empty lines are fine, and F42 is F24."""
    lines = [
        (number, spelled(line))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    known = [CODES[0]] * len(lines)  # of these only the number can be wrong
    wrong = [*faults(known), *_line_faults(lines)]
    if wrong:
        raise BadDeck(wrong)
    return tuple(card for _, card in lines)


def spelled(code: str) -> str:
    """A card's code as the catalogue spells it, if it is recognised."""
    code = code.strip().upper()
    turned = f"F{code[2:]}{code[1:2]}"
    return turned if len(code) == 3 and code.startswith("F") and turned in CARD else code


def _line_faults(lines: Sequence[tuple[int, str]]) -> Iterator[Phrase]:
    for number, card in lines:
        if card not in CARD:
            yield say("Line {n}: {fault}", n=number, fault=unknown_card(card))


def _looks_like_a_code(typed: str) -> bool:
    """One line that is longer than any card's code."""
    line = typed.strip()
    return "\n" not in line and len(line) > max(map(len, CODES))


def _create(owner: UUID, name: str, unnamed: str, cards: tuple[str, ...]) -> Deck:
    return create_deck(owner=owner, name=name or free_name(owner, unnamed), cards=cards)


# Measuring how often ten cards win: a simulation of the deck against the reference deck.
#
# The same bot plays both decks, each at either seat with the same cards drawn. The simulation has
# no owner, as all decks of the same cards share it.

MATCHES: Final = 2000
SEED: Final = 1  # the same cards are drawn for every deck, so results compare
BOT: Final = "gambler"


def request_measurement(*, cards: Sequence[str], requester: User) -> Measurement:
    """Has ten cards measured, unless they have been. Raises TooManyMeasurements."""
    return _measured(
        cards,
        requester,
        None,
        lambda: work.start(
            owner=None,
            requester=requester,
            game="pazaak",
            bots=(BOT,),
            side_decks=(in_order(cards), selectors.REFERENCE),
            games=MATCHES,
            seed=SEED,
            swap=True,
        ),
    )


def _measured(
    cards: Sequence[str], requester: User, against: str | None, start: Callable[[], Simulation]
) -> Measurement:
    """The measurement that exists, or a new one by ``start``."""
    code = selectors.encode_deck(cards)
    measured = selectors.measurement(code, against)
    if measured:
        return measured
    with locked_accounts(requester.pk):
        requesters = counted_with(requester.pk)
        running = selectors.running_measurements(*requesters.ids)
        if running.count() >= requesters.most(settings.LIMITS["measurements"]):
            raise TooManyMeasurements
        terms = selectors.terms(against)
        row, _ = Measurement.objects.select_for_update().get_or_create(code=code, **terms)
        if not row.holds:
            row.simulation = start()
            row.save(update_fields=["simulation"])
    return row


# The deck doctor: a measurement that says more, against a field.


class DoctorField(Struct, frozen=True, forbid_unknown_fields=True):
    """The field that a deck is examined against, and the seed of the deals.

    ``field``: `house`, what computers bring, or `public`, the ready-made decks. ``rivals``: share
    codes of decks instead.
    """

    field: Literal["house", "public"] = "public"
    rivals: Annotated[tuple[Code, ...], Meta(max_length=doctor.MOST_RIVALS)] = ()
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] = SEED

    @property
    def codes(self) -> list[str]:
        """Those of the rivals. Raises BadDeck for a mistyped one."""
        return sorted({selectors.encode_deck(read_code(code)) for code in self.rivals})

    @property
    def query(self) -> str:
        chosen = {"rivals": ",".join(self.codes)} if self.rivals else {"field": self.field}
        return urlencode(chosen | {"seed": self.seed})

    @property
    def key(self) -> str:
        return f"{' '.join(self.codes) or self.field} {self.seed}"


def checked_field(**chosen: object) -> DoctorField:
    """Of what a form holds. Raises BadDeck for too many rivals or a mistyped code."""
    try:
        field = convert(chosen, DoctorField)
    except ValidationError:
        raise BadDeck([say("Name at most {n} rivals.", n=doctor.MOST_RIVALS)]) from None
    _ = field.codes
    return field


MOST_EXAMINATIONS: Final = 50  # that one person's requests keep; the oldest are forgotten


def request_examination(
    *, cards: Sequence[str], requester: User, field: DoctorField
) -> Measurement:
    """Has ten cards examined, unless they have been. Raises BadDeck, TooManyMeasurements."""
    rivals = [read_code(code) for code in field.codes] or doctor.field_of(field.field)
    request = doctor.describe(cards, rivals, seed=field.seed)
    start = partial(work.start_examination, request, requester)
    row = _measured(cards, requester, field.key, start)
    kept = Measurement.objects.filter(simulation__requester=requester, against__contains=" ")
    old = kept.order_by("-asked_at", "-id").values_list("id", flat=True)[MOST_EXAMINATIONS:]
    forget_measurements(Measurement.objects.filter(id__in=list(old)))
    return row


def examination(*, cards: Sequence[str], field: DoctorField) -> Measurement | None:
    """The examination, running or done, if somebody has asked for it. Raises BadDeck."""
    return selectors.measurement(selectors.encode_deck(cards), field.key)


def forget_measurements(measurements: QuerySet[Measurement]) -> None:
    """Deletes measurements with their simulations; their decks can be measured again."""
    Simulation.objects.filter(measurement__in=measurements).delete()
    measurements.delete()  # what an earlier release has measured has no simulation
