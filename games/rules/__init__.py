"""The rules of every game: values and functions that have never heard of Django, a clock or a disk."""
