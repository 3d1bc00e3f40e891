"""The twin's data, in one SQLite database."""
