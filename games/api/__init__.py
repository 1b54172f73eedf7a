"""REST API v1: translates requests into service calls and tables into JSON, decides nothing."""
