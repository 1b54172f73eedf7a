"""Phrases between people at a table: sentences and signs to choose from, no free text.

A phrase is no part of a match: it stands in no log, no record and no state, and is forgotten after
a day. A reader who has muted or blocked a person does not see what that person says.
"""
