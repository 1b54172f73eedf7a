from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    name = "games.exercises"
    label = "exercises"
    verbose_name = "Exercises"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.exercises.collecting.looking.EXERCISES",
        "games.exercises.collecting.choosing.COLLECTED",
        "games.exercises.collecting.shipped.SHIPPED",
    )
