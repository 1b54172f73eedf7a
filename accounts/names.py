"""Names of accounts: which one is shown, signs of bots, names of guests."""

import secrets
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.skeleton import is_unseen, letters_read_twice, skeleton
from config.club import PLACE
from config.offers import offered

# The sign of a bot account: the last word of its name, which nobody else's name ends in.
#
# So it stands wherever the name stands: at tables, in lists, records, mails, and in every client.

SIGN: Final = "BOT"


def has_sign(name: str) -> bool:
    """Also in letters that look like it."""
    words = name.split()
    return len(words) > 1 and skeleton(words[-1]) == skeleton(SIGN)


def signed(name: str) -> str:
    """The name of a bot account; what is too long is cut before the sign."""
    if has_sign(name):
        name = " ".join(name.split()[:-1])
    return f"{name[: DISPLAY_NAME_LENGTH - len(SIGN) - 1].rstrip()} {SIGN}"


# Which display names are allowed: printable ones that are not mistaken for another's.

EMOJI_STYLE: Final = "\ufe0f"  # after a sign that is to be drawn in colours; keyboards add it
RESERVED: Final = frozenset(
    {"admin", "administrator", "moderator", "operator", "referee", "root", "staff", "support"}
    | {"system", "cardroom", "bot", "computer", "you", "deleted player"}
)
HOUSE: Final = "cardroom"  # stands in no name of a person: all that begins so is the house's
IMPORTED: Final = "imported-"  # begins the usernames of people from other installations
ERASED: Final = "deleted-"  # begins the usernames of people who were erased
LETTER_FOR: Final = str.maketrans("34578@$", "eastbas")


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces. Raises ValidationError."""
    shown = " ".join(unicodedata.normalize("NFC", name).replace(EMOJI_STYLE, "").split())
    if not 1 <= len(shown) <= DISPLAY_NAME_LENGTH:
        raise ValidationError(
            gettext("A display name has 1 to {n} characters.").format(n=DISPLAY_NAME_LENGTH)
        )
    if not shown.isprintable() or any(map(is_unseen, shown)):
        raise ValidationError(gettext("A display name has printable characters only."))
    return shown


def check_imitation(name: str, user: User) -> None:
    """Raises ValidationError for a name that looks like the house's or another account's.

    Names of guests are not kept for them.
    """
    for letter in letters_read_twice().intersection(unicodedata.normalize("NFC", name)):
        sentence = gettext("{letter} is taken for other letters. Choose a name without it.")
        raise ValidationError(sentence.format(letter=letter))
    if not user.is_staff:
        check_not_reserved(name)
    others = User.objects.exclude(pk=user.pk).filter(is_guest=False)
    same = Q(display_name__iexact=name) | Q(username__iexact=name) | Q(name_skeleton=skeleton(name))
    if others.filter(same).exists():
        raise ValidationError(gettext("Another player has this name."))


def check_not_reserved(name: str) -> None:
    """Raises ValidationError for a name that looks like one of the house's."""
    if has_sign(name):
        raise ValidationError(gettext("A name that ends in BOT is kept for bot accounts."))
    if is_reserved(name):
        raise ValidationError(gettext("This name is kept for those who run the place."))


def is_reserved(name: str) -> bool:
    """Whether it looks like a name of the house, also with digits and signs read as letters."""
    words = {_word(name), _word(skeleton(name).translate(LETTER_FOR))}
    kept = _reserved() | ({_word(PLACE.name)} - {""})
    return bool(words & kept) or any(_word(HOUSE) in word for word in words)


def is_reserved_username(username: str) -> bool:
    """Also one that begins as those that the house gives."""
    first, dash, _ = username.partition("-")
    begins = {_word(one) for one in (IMPORTED, ERASED)}
    return is_reserved(username) or (bool(dash) and _word(first) in begins)


@cache
def _reserved() -> frozenset[str]:
    houses = {name for names in offered("house_names") for name in names()}
    return frozenset(_word(name) for name in RESERVED | houses)


def _word(name: str) -> str:
    """A name without all that is neither letter nor digit; ``strong searcher`` is one word."""
    return "".join(filter(str.isalnum, skeleton(name)))


# The words of guests' names in every language of the pages; the English ones make the username.
#
# Turkish, Russian and Czech stand in the order of OTHERS. A Russian or Czech mood stands as it
# does before a masculine animal; ``FEMININE`` names the animals before which it changes its
# ending.

OTHERS: Final = ("tr", "ru", "cs")
Words = tuple[str, str, str]

MOODS: Final[Mapping[str, Words]] = {
    "amber": ("Kehribar", "Янтарный", "Jantarový"),
    "bold": ("Atılgan", "Смелый", "Smělý"),
    "brave": ("Cesur", "Храбрый", "Statečný"),
    "breezy": ("Ferah", "Беззаботный", "Bezstarostný"),
    "bright": ("Parlak", "Яркий", "Jasný"),
    "calm": ("Sakin", "Спокойный", "Klidný"),
    "candid": ("Açık Sözlü", "Откровенный", "Upřímný"),
    "cheery": ("Şen", "Весёлый", "Veselý"),
    "clever": ("Zeki", "Умный", "Chytrý"),
    "cosmic": ("Kozmik", "Космический", "Vesmírný"),
    "cosy": ("Sıcacık", "Уютный", "Útulný"),
    "crisp": ("Diri", "Свежий", "Svěží"),
    "curious": ("Meraklı", "Любопытный", "Zvědavý"),
    "dapper": ("Şık", "Элегантный", "Elegantní"),
    "daring": ("Gözü Pek", "Отважный", "Odvážný"),
    "eager": ("Hevesli", "Усердный", "Horlivý"),
    "early": ("Erkenci", "Бодрый", "Časný"),
    "fair": ("Adil", "Справедливый", "Férový"),
    "fearless": ("Korkusuz", "Бесстрашный", "Nebojácný"),
    "fleet": ("Çevik", "Проворный", "Hbitý"),
    "fond": ("Sevecen", "Ласковый", "Laskavý"),
    "frank": ("İçten", "Открытый", "Otevřený"),
    "gentle": ("Nazik", "Нежный", "Něžný"),
    "glad": ("Memnun", "Радостный", "Radostný"),
    "golden": ("Altın", "Золотой", "Zlatý"),
    "grand": ("Görkemli", "Величавый", "Velkolepý"),
    "happy": ("Mutlu", "Счастливый", "Šťastný"),
    "hardy": ("Dayanıklı", "Стойкий", "Otužilý"),
    "honest": ("Dürüst", "Честный", "Poctivý"),
    "humble": ("Alçakgönüllü", "Скромный", "Skromný"),
    "jolly": ("Neşeli", "Задорный", "Rozverný"),
    "keen": ("Keskin", "Зоркий", "Bystrý"),
    "kind": ("İyi Kalpli", "Добрый", "Dobrotivý"),
    "lively": ("Canlı", "Живой", "Živý"),
    "loyal": ("Sadık", "Верный", "Věrný"),
    "lucky": ("Şanslı", "Удачливый", "Úspěšný"),
    "mellow": ("Yumuşak", "Мягкий", "Mírný"),
    "merry": ("Keyifli", "Резвый", "Bujarý"),
    "mild": ("Ilımlı", "Кроткий", "Vlídný"),
    "neat": ("Düzenli", "Аккуратный", "Úhledný"),
    "nimble": ("Kıvrak", "Ловкий", "Mrštný"),
    "noble": ("Soylu", "Благородный", "Vznešený"),
    "patient": ("Sabırlı", "Терпеливый", "Trpělivý"),
    "plucky": ("Yürekli", "Мужественный", "Kurážný"),
    "polite": ("Kibar", "Вежливый", "Zdvořilý"),
    "proud": ("Gururlu", "Гордый", "Hrdý"),
    "quick": ("Hızlı", "Быстрый", "Rychlý"),
    "quiet": ("Sessiz", "Тихий", "Tichý"),
    "ready": ("Hazır", "Готовый", "Pohotový"),
    "silver": ("Gümüş", "Серебряный", "Stříbrný"),
    "sly": ("Kurnaz", "Хитрый", "Lstivý"),
    "smart": ("Akıllı", "Смышлёный", "Důvtipný"),
    "snug": ("Rahat", "Тёплый", "Hřejivý"),
    "spry": ("Dinç", "Шустрый", "Čilý"),
    "steady": ("Kararlı", "Надёжный", "Vytrvalý"),
    "sunny": ("Güneşli", "Солнечный", "Slunečný"),
    "swift": ("Tez", "Стремительный", "Svižný"),
    "tidy": ("Titiz", "Опрятный", "Pořádný"),
    "trusty": ("Güvenilir", "Преданный", "Spolehlivý"),
    "upbeat": ("İyimser", "Жизнерадостный", "Optimistický"),
    "vivid": ("Renkli", "Пёстрый", "Pestrý"),
    "warm": ("Sıcak", "Сердечный", "Srdečný"),
    "wise": ("Bilge", "Мудрый", "Moudrý"),
    "witty": ("Nüktedan", "Остроумный", "Vtipný"),
}

ANIMALS: Final[Mapping[str, Words]] = {
    "badger": ("Porsuk", "Барсук", "Jezevec"),
    "beaver": ("Kunduz", "Бобр", "Bobr"),
    "bison": ("Bizon", "Бизон", "Bizon"),
    "bobcat": ("Kızıl Vaşak", "Рысь", "Rys"),
    "camel": ("Deve", "Верблюд", "Velbloud"),
    "cat": ("Kedi", "Кот", "Kocour"),
    "cheetah": ("Çita", "Гепард", "Gepard"),
    "crane": ("Turna", "Журавль", "Jeřáb"),
    "crow": ("Karga", "Ворона", "Vrána"),
    "deer": ("Geyik", "Олень", "Jelen"),
    "dolphin": ("Yunus", "Дельфин", "Delfín"),
    "dove": ("Kumru", "Голубка", "Holubice"),
    "duck": ("Ördek", "Утка", "Kachna"),
    "eagle": ("Kartal", "Орёл", "Orel"),
    "elk": ("Sığın", "Лось", "Los"),
    "falcon": ("Doğan", "Сокол", "Sokol"),
    "ferret": ("Gelincik", "Хорёк", "Fretka"),
    "finch": ("İspinoz", "Зяблик", "Pěnkava"),
    "fox": ("Tilki", "Лис", "Liška"),
    "gecko": ("Geko", "Геккон", "Gekon"),
    "goose": ("Kaz", "Гусь", "Husa"),
    "hare": ("Tavşan", "Заяц", "Zajíc"),
    "hawk": ("Şahin", "Ястреб", "Jestřáb"),
    "hedgehog": ("Kirpi", "Ёж", "Ježek"),
    "heron": ("Balıkçıl", "Цапля", "Volavka"),
    "horse": ("At", "Конь", "Kůň"),
    "ibex": ("Dağ Keçisi", "Козерог", "Kozorožec"),
    "jackal": ("Çakal", "Шакал", "Šakal"),
    "jay": ("Alakarga", "Сойка", "Sojka"),
    "koala": ("Koala", "Коала", "Koala"),
    "lark": ("Tarlakuşu", "Жаворонок", "Skřivan"),
    "lemur": ("Lemur", "Лемур", "Lemur"),
    "lion": ("Aslan", "Лев", "Lev"),
    "lizard": ("Kertenkele", "Ящерица", "Ještěrka"),
    "lynx": ("Vaşak", "Рысь", "Rys"),
    "magpie": ("Saksağan", "Сорока", "Straka"),
    "marten": ("Sansar", "Куница", "Kuna"),
    "mole": ("Köstebek", "Крот", "Krtek"),
    "moose": ("Mus", "Лось", "Los"),
    "newt": ("Semender", "Тритон", "Čolek"),
    "orca": ("Orka", "Косатка", "Kosatka"),
    "otter": ("Su Samuru", "Выдра", "Vydra"),
    "owl": ("Baykuş", "Филин", "Sova"),
    "panda": ("Panda", "Панда", "Panda"),
    "pelican": ("Pelikan", "Пеликан", "Pelikán"),
    "penguin": ("Penguen", "Пингвин", "Tučňák"),
    "pigeon": ("Güvercin", "Голубь", "Holub"),
    "puffin": ("Deniz Papağanı", "Буревестник", "Papuchalk"),
    "quail": ("Bıldırcın", "Перепел", "Křepelka"),
    "rabbit": ("Ada Tavşanı", "Кролик", "Králík"),
    "raccoon": ("Rakun", "Енот", "Mýval"),
    "raven": ("Kuzgun", "Ворон", "Havran"),
    "robin": ("Kızılgerdan", "Малиновка", "Červenka"),
    "salmon": ("Somon", "Лосось", "Losos"),
    "seal": ("Fok", "Тюлень", "Tuleň"),
    "sparrow": ("Serçe", "Воробей", "Vrabec"),
    "stork": ("Leylek", "Аист", "Čáp"),
    "swan": ("Kuğu", "Лебедь", "Labuť"),
    "tapir": ("Tapir", "Тапир", "Tapír"),
    "tiger": ("Kaplan", "Тигр", "Tygr"),
    "toad": ("Kurbağa", "Жаба", "Ropucha"),
    "walrus": ("Mors", "Морж", "Mrož"),
    "wolf": ("Kurt", "Волк", "Vlk"),
    "wren": ("Çalıkuşu", "Крапивник", "Střízlík"),
}

FEMININE: Final[Mapping[str, frozenset[str]]] = {
    "tr": frozenset(),
    "ru": frozenset(
        {
            *("bobcat", "crow", "dove", "duck", "heron", "jay", "koala", "lizard", "lynx"),
            *("magpie", "marten", "orca", "otter", "panda", "robin", "toad"),
        }
    ),
    "cs": frozenset(
        {
            *("crow", "dove", "duck", "ferret", "finch", "fox", "goose", "heron", "jay", "koala"),
            *("lizard", "magpie", "marten", "orca", "otter", "owl", "panda", "quail", "robin"),
            *("swan", "toad"),
        }
    ),
}

# Generated names for guests: pleasant to read; the same username is unlikely to come twice.
#
# The username is English and plain; the name at the table is in the guest's own language.

LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters that look alike
FEMININE_ENDINGS: Final = {"ый": "ая", "ий": "ая", "ой": "ая", "ý": "á"}


def guest_name(language: str = "en") -> tuple[str, str]:
    """A username and a display name: `brave-otter-x7k2p`, `Brave Otter`; in Turkish `Cesur …`."""
    mood, animal = secrets.choice([*MOODS]), secrets.choice([*ANIMALS])
    ending = "".join(secrets.choice(LETTERS) for _ in range(5))
    return f"{mood}-{animal}-{ending}", name_of(mood, animal, language)


def is_generated(username: str, display_name: str) -> bool:
    """Whether the display name is still the one that was generated with the username."""
    mood, animal, *_ = (*username.split("-"), "", "")
    if mood not in MOODS or animal not in ANIMALS:
        return False
    return display_name in {name_of(mood, animal, language) for language in ("en", *OTHERS)}


def name_of(mood: str, animal: str, language: str) -> str:
    """The two words as a name in a language; in English where it has no words of its own."""
    if language not in OTHERS:
        return f"{mood} {animal}".title()
    at = OTHERS.index(language)
    shown = MOODS[mood][at]
    if animal in FEMININE[language]:
        shown = _feminine(shown)
    return f"{shown} {ANIMALS[animal][at]}"


def _feminine(mood: str) -> str:
    """Храбрый выдра is Храбрая Выдра; a Czech mood in -í has one ending for both."""
    for ending, other in FEMININE_ENDINGS.items():
        if mood.endswith(ending):
            return mood.removesuffix(ending) + other
    return mood


# Whether an account may sign in and play, in words for operators.
#
# Suspending is the one way to stop a person (`games.operations.people`); the column ``is_active``
# follows from it. Accounts of erased people and of people imported in records are closed for
# good.

GIVEN: Final = (ERASED, IMPORTED)  # begin the usernames of accounts that are closed for good
CLOSED_SQL: Final = "NOT is_active AND ({names})".format(
    names=" OR ".join(f"username ^@ '{prefix}'" for prefix in GIVEN)
)


def is_nobodys(user: User) -> bool:
    """Whether it is of a person who was erased or imported, who has no results here.

    By the name alone anybody could say so who had taken such a name in time.
    """
    return not user.is_active and user.username.startswith(GIVEN)


def standing_of(user: User) -> str:
    """Reads the suspensions that were fetched with the user, if they were."""
    if is_nobodys(user) and user.username.startswith(ERASED):
        return "erased"
    suspended = next((one for one in user.suspensions.all() if one.lifted_at is None), None)
    if suspended is not None:
        return f"suspended {suspended}"
    if user.is_active:
        return "active"
    return "imported" if user.username.startswith(IMPORTED) else "closed"
