"""Events as a person reads them; never more than the event itself tells."""

from collections.abc import Sequence

from cardroom.rules.text import CardName, Phrase, card_names, say
from cardroom.rules.values import Event
from games.newgame.template.events import CardLaid, Dealt, RoundScored, TrickTaken


def narrate(event: Event, names: Sequence[str]) -> Phrase:
    match event:
        case Dealt():
            return say("Round {round} is dealt.", round=event.round)
        case CardLaid():
            card, seat = CardName(event.card), names[event.seat]
            return say("{seat} lays {card}.", you="You lay {card}.", seat=seat, card=card)
        case TrickTaken():
            return say(
                "{seat} takes the trick: {cards}.",
                you="You take the trick: {cards}.",
                seat=names[event.seat],
                cards=card_names(event.cards),
            )
        case RoundScored():
            tricks = " : ".join(map(str, event.tricks))
            return say("Round {round} is over, {tricks}.", round=event.round, tricks=tricks)
    raise TypeError(f"{type(event).__name__} is not an event of New Game.")
