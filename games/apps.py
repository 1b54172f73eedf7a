from typing import ClassVar

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    # Offered to rooms below (config.offers).
    health: ClassVar = {"bots": "games.operations.figures.bots_move"}
    open_streams = "games.live.hub.open_streams"
    house_names = "games.absent.house_names"
    cause_holds: ClassVar = {
        "your_turn": "games.causes.turn_holds",
        "invitation": "games.causes.invitation_holds",
        "challenge": "games.causes.invitation_holds",
        "tournament": "games.causes.round_holds",
        "match": "games.causes.match_holds",
    }
    cause_facts: ClassVar = {"match": "games.causes.facts_of_match"}
    cause_text: ClassVar = {"operator": "games.causes.notice_text"}
    topic_place = "games.causes.place_in_match"
    start_lines = "games.outside.lines"
    clocks_stand_still = "games.matches.overdue.stand_still"
    game_slugs = "cardroom.rules.catalog.slugs"
    preset_slugs = "games.matches.seats.preset_slugs"
    bot_slugs = "games.matches.seats.bot_slugs"
    phrase_slugs = "games.phrases.speaking.slugs"
    duty_values = "games.absent.duty_values"
    somebody_plays = "games.matches.selectors.log.somebody_plays"
    duties = (
        "games.matches.overdue.TURNS",
        "games.matches.overdue.CLOCKS",
        "games.matches.overdue.LOADS",
        "games.matches.partitions.PARTITIONS",
        "games.matches.rating.UNFIT",
        "games.causes.CAUSES",
        "games.simulations.work.SIMULATIONS",
        "games.simulations.work.PICTURES",
    )

    def ready(self) -> None:
        """A person who is blocked has no invitations left; games from outside bring their words."""
        from accounts.social.services import subscribers
        from games import outside
        from games.matches.joining import decline_between

        outside.begin()
        subscribers.append(decline_between)


class BotAccountsConfig(AppConfig):
    name = "games.bot_accounts"
    verbose_name = "Bot accounts"

    duties = ("games.bot_accounts.services.SILENT",)

    # Offered to other rooms (config.offers).
    refuses_seat = "games.bot_accounts.services.refuses_seat"


class CalendarsConfig(AppConfig):
    name = "games.calendars"
    verbose_name = "Calendars"


class CoachingConfig(AppConfig):
    name = "games.coaching"
    verbose_name = "Coach"

    duties = ("games.coaching.analyses.ANALYSES", "games.coaching.analyses.FORGOTTEN")


class CompetitionsConfig(AppConfig):
    name = "games.competitions"
    verbose_name = "Tournaments"

    duties = ("games.competitions.advancing.TOURNAMENTS",)


class DailyConfig(AppConfig):
    name = "games.daily"
    verbose_name = "Deals of the day"

    duties = (
        "games.daily.playing.DEALS",
        "games.daily.playing.PUBLISHED",
        "games.daily.playing.COMPUTERS",
    )
    duty_values = "games.daily.playing.duty_values"

    # Offered to other rooms (config.offers).
    derivations: ClassVar = {"deals of the day": "games.daily.playing.recount_entries"}
    titles_of = "games.daily.selectors.titles_of"


class ExercisesConfig(AppConfig):
    name = "games.exercises"
    verbose_name = "Exercises"

    duties = (
        "games.exercises.collecting.EXERCISES",
        "games.exercises.collecting.COLLECTED",
        "games.exercises.collecting.SHIPPED",
    )


class ExportsConfig(AppConfig):
    name = "games.exports"
    verbose_name = "Exports"

    duties = ("games.exports.exporting.EXPORTS", "games.exports.exporting.LOOKED_AFTER")


class IdleConfig(AppConfig):
    name = "games.idle"
    verbose_name = "Idle matches"

    duties = ("games.idle.ending.NUDGES", "games.idle.ending.FORGOTTEN")


class LeaguesConfig(AppConfig):
    name = "games.leagues"
    verbose_name = "Leagues"

    duties = ("games.leagues.divisions.LEAGUES",)

    # Offered to other rooms (config.offers).
    derivations: ClassVar = {"leagues": "games.leagues.divisions.recount_leagues"}
    titles_of = "games.leagues.selectors.titles_of"


class LobbyConfig(AppConfig):
    name = "games.lobby"
    verbose_name = "Lobby"

    duties = (
        "games.lobby.seeking.SEEKS",
        "games.lobby.seeking.FORGOTTEN",
        "games.lobby.challenges.CHALLENGES",
        "games.lobby.challenges.FORGOTTEN",
    )

    # Offered to other rooms (config.offers).
    series_of = "games.lobby.rematches.series_of_person"


class MirroredConfig(AppConfig):
    name = "games.mirrored"
    verbose_name = "Mirrored matches"

    duties = ("games.mirrored.opening.MIRRORED",)

    # Offered to other rooms (config.offers).
    refuses_seat = "games.mirrored.opening.refuses_seat"


class PeopleConfig(AppConfig):
    name = "games.people"
    verbose_name = "People and their results"

    duties = ("games.people.counting.RESULTS",)

    # Offered to rooms below (config.offers); in the order in which one follows from the other.
    derivations: ClassVar = {
        "results": "games.people.counting.recount_results",
        "tallies": "games.people.counting.recount_tallies",
        "meetings": "games.people.counting.recount_meetings",
    }
    titles_of = "games.people.profiles.deck_titles_of"


class PhrasesConfig(AppConfig):
    name = "games.phrases"
    verbose_name = "Phrases at the table"

    duties = ("games.phrases.speaking.FORGOTTEN",)


class RatingsConfig(AppConfig):
    name = "games.ratings"
    verbose_name = "Ratings"

    duties = ("games.ratings.rating.RATINGS", "games.ratings.computers.ROUND_ROBINS")

    # Offered to other rooms (config.offers).
    people_ratings = "games.ratings.people.ratings_by_account"
    rating_curves = "games.ratings.people.curves_of_person"
    titles_of = "games.ratings.people.titles_of"
    derivations: ClassVar = {"ratings": "games.ratings.rating.recount_ratings"}


class OperationsConfig(AppConfig):
    name = "games.operations"
    label = "operations"
    verbose_name = "Operations"
    default_auto_field = "django.db.models.BigAutoField"

    appeal = "games.operations.reports.appeal"
    keeps_deleted = "games.operations.undoing.keep_deleted"
    appeal_of = "games.operations.reports.appeal_of"
    duties = (
        "games.operations.nights.CLEAN_UP",
        "games.operations.nights.AUDIT",
        "games.operations.nights.FOLDED",
        "games.operations.nights.AUDITS",
        "games.operations.acts.BULK_RUNS",
        "games.operations.people.LEFT_BEHIND",
        "games.operations.people.SUSPENSIONS",
        "games.operations.people.ERASURES",
        "games.operations.people.ORPHANS",
        "games.operations.figures.SAMPLES",
        "games.operations.jobs.BACKUP",
        "games.operations.jobs.RECOUNT",
    )

    def ready(self) -> None:
        """Failed tasks are counted for the dashboard; Prometheus reads its figures too."""
        from celery.signals import task_failure

        from config.monitoring.installation import sources
        from games.operations.figures import count_failure, for_prometheus

        task_failure.connect(count_failure)
        sources.append(for_prometheus)
