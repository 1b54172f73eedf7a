"""Side decks of Pazaak."""
