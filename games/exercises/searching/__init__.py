"""Plain functions of records and of what seats know: what is an exercise, and what is not."""
