"""Waiting: rows without a token, and their release."""
