"""The pages of decks: the shelf, the crafting bench, a page for each deck."""
