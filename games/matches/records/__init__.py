"""The record of a match: built, checked, exported, imported."""
