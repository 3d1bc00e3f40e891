"""Checking: every finding of every row, before anything is sent."""
