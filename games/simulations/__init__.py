"""Many matches in the background: requests, work in parts, results."""
