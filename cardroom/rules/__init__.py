"""The rules of every game: values and functions that know no Django, no clock and no disk."""
