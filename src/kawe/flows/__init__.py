"""The verbs: what kawe does, through ports alone.

Whatever reads the journal may raise `JournalError`, which stops the run; a docstring
names only what a function raises besides.
"""
