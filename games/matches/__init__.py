"""The match service: one match from opening to record."""
