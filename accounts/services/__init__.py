"""Every write of an account: people and their keys. Nothing here knows a request."""
