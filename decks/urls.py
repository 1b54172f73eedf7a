"""Below /decks/."""

from django.urls import path

from decks.web import deck_list, deck_page, editor

urlpatterns = [
    path("", deck_list.deck_list, name="decks"),
    path("new", editor.new, name="deck_new"),
    path("import", deck_list.import_deck, name="deck_import"),
    path("ready-made/<slug:slug>/copy", deck_list.copy_ready_made, name="deck_copy_ready_made"),
    path("<uuid:deck_id>", deck_page.page, name="deck"),
    path("<uuid:deck_id>/edit", editor.edit, name="deck_edit"),
    path("<uuid:deck_id>/rename", deck_page.rename, name="deck_rename"),
    path("<uuid:deck_id>/copy", deck_page.copy, name="deck_copy"),
    path("<uuid:deck_id>/default", deck_page.make_default, name="deck_make_default"),
    path("<uuid:deck_id>/delete", deck_page.delete, name="deck_delete"),
    path("<uuid:deck_id>/text", deck_page.text, name="deck_text"),
    path("<uuid:deck_id>/measure", deck_page.measure, name="deck_measure"),
    path("<uuid:deck_id>/measured", deck_page.measured, name="deck_measured"),
]
