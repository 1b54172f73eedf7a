"""What operators see: figures, problems, matches by name, reports, looks that are logged."""
