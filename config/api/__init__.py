"""What every API of the house stands on: errors, JSON, pages of lists, throttles, the schema.

Neutral ground: it knows no app, so accounts, decks and games may all use it.
"""
