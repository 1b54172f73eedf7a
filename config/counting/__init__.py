"""The cache, counts of requests, and the address that a request counts by."""
