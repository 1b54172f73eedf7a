"""Tournaments as pages: the list, one of them, the form for a new one."""
