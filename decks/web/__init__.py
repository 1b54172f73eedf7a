"""The pages of decks: the list, the editor, a page for each deck."""
