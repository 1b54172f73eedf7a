"""What is taken away from a tournament: a table for a spreadsheet, an entry for a calendar."""
