"""Reporting: how each row stands, before a run and after it."""
