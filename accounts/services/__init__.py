"""Every write of an account: people, their keys. Nothing here knows a request."""
