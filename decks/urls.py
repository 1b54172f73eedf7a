"""Below /decks/."""

from django.urls import path

from decks.web import bench, page, shelf

urlpatterns = [
    path("", shelf.shelf, name="decks"),
    path("new", bench.new, name="deck_new"),
    path("import", shelf.import_deck, name="deck_import"),
    path("ready-made/<slug:slug>/copy", shelf.copy_ready_made, name="deck_copy_ready_made"),
    path("<uuid:deck_id>", page.page, name="deck"),
    path("<uuid:deck_id>/edit", bench.edit, name="deck_edit"),
    path("<uuid:deck_id>/rename", page.rename, name="deck_rename"),
    path("<uuid:deck_id>/copy", page.copy, name="deck_copy"),
    path("<uuid:deck_id>/default", page.make_default, name="deck_make_default"),
    path("<uuid:deck_id>/delete", page.delete, name="deck_delete"),
    path("<uuid:deck_id>/text", page.text, name="deck_text"),
    path("<uuid:deck_id>/measure", page.measure, name="deck_measure"),
    path("<uuid:deck_id>/measured", page.measured, name="deck_measured"),
]
