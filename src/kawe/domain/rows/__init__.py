"""What one row says, which row it is, and what the journal knows of it."""
