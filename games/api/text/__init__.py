"""Plain text: a match and a table for programs that read lines."""
