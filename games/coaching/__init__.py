"""The coach: what each decision of a finished match was worth, from what its seat knew.

``judging`` is plain functions of a record. ``services`` keeps analyses in rows, which any worker
continues.
"""
