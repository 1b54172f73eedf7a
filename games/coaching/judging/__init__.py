"""Judging a record: ``decisions`` <- ``weighing`` <- ``verdicts`` <- ``summary``.

Nothing here knows Django. A decision is judged from its seat's view and the events that the seat
saw, so no other card can change a verdict.
"""
