"""Rows that wait: for tokens, or for a person."""
