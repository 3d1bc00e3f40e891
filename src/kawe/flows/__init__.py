"""The verbs: what kawe does, through ports alone.

Whatever reads the journal or the service may raise `JournalError` or `ServiceError`,
which stop the run; a docstring names only what a function raises besides.
"""
