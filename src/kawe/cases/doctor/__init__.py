"""Checks before a run; they change nothing.

Each is one line for a person: fine, doubtful, or trouble. Trouble has the error
that a run would end with, so that the exit code is the same.
"""
