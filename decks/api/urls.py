"""Below /api/v1/."""

from django.urls import path

from decks.api import views

urlpatterns = [
    path("decks", views.DecksView.as_view()),
    path("decks/cards", views.CardsView.as_view()),
    path("decks/import", views.ImportView.as_view()),
    path("decks/<uuid:deck_id>", views.DeckView.as_view()),
]
