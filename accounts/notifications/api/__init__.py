"""Notifications in the API, below accounts/me/."""
