"""Decks over REST."""
