"""Below /decks/."""

from django.urls import path

from decks import web

urlpatterns = [
    path("", web.deck_list, name="decks"),
    path("new", web.new, name="deck_new"),
    path("import", web.import_deck, name="deck_import"),
    path("ready-made/<slug:slug>/copy", web.copy_ready_made, name="deck_copy_ready_made"),
    path("<uuid:deck_id>", web.page, name="deck"),
    path("<uuid:deck_id>/edit", web.edit, name="deck_edit"),
    path("<uuid:deck_id>/rename", web.rename, name="deck_rename"),
    path("<uuid:deck_id>/copy", web.copy, name="deck_copy"),
    path("<uuid:deck_id>/default", web.make_default, name="deck_make_default"),
    path("<uuid:deck_id>/delete", web.delete, name="deck_delete"),
    path("<uuid:deck_id>/text", web.text, name="deck_text"),
    path("<uuid:deck_id>/measure", web.measure, name="deck_measure"),
    path("<uuid:deck_id>/measured", web.measured, name="deck_measured"),
]
