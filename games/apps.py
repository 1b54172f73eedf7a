from typing import ClassVar

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    # Offered to rooms below (config.offers).
    health: ClassVar = {"bots": "games.operations.figures.bots_move"}
    open_streams = "games.live.hub.open_streams"
    house_names = "games.house_names.house_names"
    cause_holds: ClassVar = {
        "your_turn": "games.causes.turns.still_holds",
        "invitation": "games.causes.invitations.still_holds",
        "challenge": "games.causes.invitations.still_holds",
        "tournament": "games.causes.rounds.still_holds",
        "match": "games.causes.matches.still_holds",
    }
    cause_facts: ClassVar = {"match": "games.causes.matches.facts_of"}
    cause_text: ClassVar = {"operator": "games.causes.notices.text_of"}
    topic_place = "games.causes.matches.place_of"
    start_lines = "games.outside.starting.lines"
    clocks_stand_still = "games.matches.overdue.clocks.stand_still"
    game_slugs = "cardroom.rules.catalog.slugs"
    duty_values = "games.absent.duty_values"
    somebody_plays = "games.matches.selectors.log.somebody_plays"
    duties = (
        "games.matches.overdue.recovery.TURNS",
        "games.matches.overdue.recovery.CLOCKS",
        "games.matches.overdue.recovery.LOADS",
        "games.matches.seating.rating.UNFIT",
        "games.causes.deriving.CAUSES",
        "games.simulations.work.SIMULATIONS",
        "games.simulations.work.PICTURES",
    )

    def ready(self) -> None:
        """A person who is blocked has no invitations left; workers play compiled searches; games
        from outside bring their words.
        """
        from accounts.social.announcements import subscribers
        from games import compiled_turns  # noqa: F401  # by its signal
        from games.matches.seating.blocking import decline_between
        from games.outside import starting

        starting.begin()
        subscribers.append(decline_between)
