"""The first answer counts, later ones are practice; ratings follow from the attempts alone."""

from datetime import timedelta

import pytest
from django.utils import timezone
from time_machine import travel

from accounts.models import User
from games.exercises import selectors, solving
from games.exercises.models import Attempt, DayExercise, Exercise, Review, Solver
from games.exercises.selectors import NoExerciseLeft, NoSuchExercise, NotAMoveHere
from games.exercises.solving import forget
from games.operations.own_data import data_of
from games.ratings.models import PersonRating, RatedSeat
from tests.exercises.scenes import best, from_file, of, worst

pytestmark = pytest.mark.django_db


def answer(user, row, move):
    return solving.answer(user=user, exercise_id=row.pk, move=move)


def again(row):
    return Exercise.objects.get(pk=row.pk)


def test_a_first_answer_rates_solver_and_exercise_against_each_other(ada):
    row = from_file()
    done = answer(ada, row, best(row))
    assert (done.is_solved, done.is_first) == (True, True)
    assert done.after.mean > done.before.mean
    assert again(row).mean < row.mean
    assert (again(row).attempts, again(row).solved) == (1, 1)
    assert Solver.objects.get(account=ada).mean == done.after.mean


def test_a_wrong_answer_costs_and_comes_up_again(ada):
    row = from_file()
    done = answer(ada, row, worst(row))
    assert not done.is_solved
    assert done.after.mean < done.before.mean
    assert again(row).mean > row.mean
    assert Review.objects.get(account=ada).due_at > timezone.now() + timedelta(hours=12)


def test_later_answers_are_practice(ada):
    row = from_file()
    answer(ada, row, worst(row))
    kept = Attempt.objects.values().get(), Solver.objects.values().get(), again(row).mean
    done = answer(ada, row, best(row))
    assert (done.is_solved, done.is_first, done.after) == (True, False, None)
    assert kept == (Attempt.objects.values().get(), Solver.objects.values().get(), again(row).mean)


def test_a_move_that_does_the_same_is_the_same_answer(ada):
    row = next(
        one
        for at in range(18)
        for one in [from_file("shithead", at)]
        if " " in best(one) and best(one) in of(one).seen.legal_moves
    )
    other = " ".join(reversed(best(row).split(" ")))
    assert answer(ada, row, other).is_solved


def test_what_the_seat_could_not_play_is_no_answer(ada):
    row = from_file()
    for move in ("", "a king", "pickup", "X1"):
        with pytest.raises(NotAMoveHere):
            answer(ada, row, move)
    assert not Attempt.objects.exists()


def test_guests_and_programs_practise_only(guest, ben):
    row = from_file()
    User.objects.filter(pk=ben.pk).update(is_bot=True)
    ben.refresh_from_db()
    for user in (guest, ben):
        assert answer(user, row, best(row)).after is None
    assert not Solver.objects.exists()
    assert again(row).mean == row.mean


def test_ratings_of_matches_have_no_part_in_it(ada):
    answer(ada, from_file(), best(from_file()))
    assert not PersonRating.objects.exists()
    assert not RatedSeat.objects.exists()


def test_every_rating_follows_from_the_attempts_in_their_order(ada, ben, cleo):
    rows = [from_file("pisti", at) for at in range(3)]
    with travel(timezone.now(), tick=False) as clock:
        for user in (ada, ben, cleo):
            for at, row in enumerate(rows):
                answer(user, row, best(row) if (at + len(user.username)) % 2 else worst(row))
                clock.shift(timedelta(days=9))
    assert Attempt.objects.filter(is_rated=True).count() == 9
    assert solving.faults() == []
    Solver.objects.filter(account=ben).update(mean=1.0)
    Exercise.objects.filter(pk=rows[0].pk).update(variance=1.0)
    assert {fault.about for fault in solving.faults()} == {
        f"solver {Solver.objects.get(account=ben).pk}",
        f"exercise {rows[0].pk}",
    }


def test_they_still_follow_when_somebody_was_erased_and_an_exercise_is_gone(ada, ben):
    rows = [from_file("pisti", at) for at in range(2)]
    for user in (ada, ben):
        for row in rows:
            answer(user, row, best(row))
    forget(ada.pk)
    rows[0].delete()
    assert solving.faults() == []
    assert Attempt.objects.filter(account=None).count() == 2
    assert not Solver.objects.filter(account=ada).exists()


def test_an_account_reads_what_is_kept_of_it(ada):
    row = from_file()
    answer(ada, row, worst(row))
    data = data_of(ada)["exercises"]
    assert data["attempts"][0]["move"] == worst(row)
    assert data["ratings"][0]["game"] == "pisti"
    assert data["reviews"][0]["exercise_id"] == row.pk


class TestNext:
    def test_it_is_the_nearest_that_was_not_answered_and_stays_until_it_is(self, ada):
        from_file()
        first = selectors.next_for(ada.pk, "pisti")
        assert selectors.next_for(ada.pk, "pisti") == first
        answer(ada, first, best(first))
        assert selectors.next_for(ada.pk, "pisti") != first

    def test_of_a_theme_until_none_is_left(self, ada):
        from_file()
        jacks = Exercise.objects.filter(game="pisti", theme="jacks")
        seen = set()
        for _ in jacks:
            row = selectors.next_for(ada.pk, "pisti", "jacks")
            seen.add(row)
            answer(ada, row, best(row))
        assert seen == set(jacks)
        with pytest.raises(NoExerciseLeft):
            selectors.next_for(ada.pk, "pisti", "jacks")

    def test_a_withdrawn_one_is_shown_to_nobody(self, ada):
        row = from_file()
        Exercise.objects.exclude(pk=row.pk).delete()
        Exercise.objects.update(withdrawn_at=timezone.now())
        with pytest.raises(NoExerciseLeft):
            selectors.next_for(ada.pk)
        with pytest.raises(NoSuchExercise):
            selectors.find(row.pk, ada.pk)


class TestOfTheDay:
    def test_it_is_the_same_for_everybody_all_day(self):
        from_file()
        one = selectors.of_the_day("pisti")
        assert selectors.of_the_day("pisti") == one
        assert DayExercise.objects.count() == 1

    def test_days_go_through_all_of_them(self):
        from_file()
        today, number = selectors.today(), Exercise.objects.filter(game="pisti").count()
        days = [selectors.of_the_day("pisti", today + n * timedelta(1)) for n in range(number)]
        assert len({row.pk for row in days}) == number

    def test_another_one_takes_the_place_of_one_that_was_withdrawn(self):
        from_file()
        one = selectors.of_the_day("pisti")
        Exercise.objects.filter(pk=one.pk).update(withdrawn_at=timezone.now())
        assert selectors.of_the_day("pisti").pk != one.pk

    def test_there_is_none_of_a_game_without_exercises(self):
        assert selectors.of_the_day("pisti") is None


class TestRepetition:
    def test_it_comes_up_later_and_later_while_it_is_solved(self, ada):
        row, gaps = from_file(), []
        with travel(timezone.now(), tick=False) as clock:
            answer(ada, row, worst(row))
            for _ in range(4):
                review = Review.objects.get(account=ada)
                gaps.append(review.due_at - timezone.now())
                clock.move_to(review.due_at)
                assert selectors.next_review(ada.pk) == row
                answer(ada, row, best(row))
        assert gaps == sorted(gaps)
        assert gaps[-1] > 3 * gaps[0]

    def test_a_new_mistake_brings_it_back_soon(self, ada):
        row = from_file()
        review = Review.objects.create(account=ada, exercise=row, due_at=timezone.now())
        for solved in (True, True, True):
            before = review.due_at
            solving.schedule_review(review, solved=solved, at=review.due_at)
        solving.schedule_review(review, solved=False, at=review.due_at)
        assert review.due_at - review_time(review) < (review_time(review) - before) / 2

    def test_before_it_is_due_an_answer_moves_nothing(self, ada):
        row = from_file()
        answer(ada, row, worst(row))
        kept = Review.objects.values().get()
        answer(ada, row, best(row))
        assert Review.objects.values().get() == kept

    def test_nothing_is_due_of_somebody_who_made_no_mistake(self, ada):
        row = from_file()
        answer(ada, row, best(row))
        with pytest.raises(NoExerciseLeft):
            selectors.next_review(ada.pk)


def review_time(review):
    return solving._card(review).last_review
