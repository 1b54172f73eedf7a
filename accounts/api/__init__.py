"""The account calls of the API."""
