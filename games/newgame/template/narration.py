"""Events as a person reads them; never more than the event itself tells."""

from collections.abc import Sequence
from typing import Final

from games.newgame.template.events import CardLaid, Dealt, RoundScored, TrickTaken
from games.rules.text import CardName, Phrase, card_names, forms, say
from games.rules.values import Event


def narrate(event: Event, names: Sequence[str]) -> Phrase:
    match event:
        case Dealt():
            return say("Round {round} is dealt.", round=event.round)
        case CardLaid():
            return say("{seat} lays {card}.", seat=names[event.seat], card=CardName(event.card))
        case TrickTaken():
            cards = card_names(event.cards)
            return say("{seat} takes the trick: {cards}.", seat=names[event.seat], cards=cards)
        case RoundScored():
            tricks = " : ".join(map(str, event.tricks))
            return say("Round {round} is over, {tricks}.", round=event.round, tricks=tricks)
    raise TypeError(f"{type(event).__name__} is not an event of New Game.")


YOU: Final = forms(
    (say("{seat} lays {card}."), say("You lay {card}.")),
    (say("{seat} takes the trick: {cards}."), say("You take the trick: {cards}.")),
)
