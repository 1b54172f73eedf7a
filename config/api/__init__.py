"""The base of every API here: errors, JSON, pages of lists, throttles, the schema.

It knows no app, so accounts, decks and games may all use it.
"""
