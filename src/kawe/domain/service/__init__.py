"""What the service answers, and what kawe concludes from it."""
