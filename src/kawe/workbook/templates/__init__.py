"""Workbooks for people to fill in."""
