"""What the twin remembers, in one SQLite database."""
