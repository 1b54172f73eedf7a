"""Cardroom as an app on a phone: its manifest, its worker, its first page, what is shared to it."""
