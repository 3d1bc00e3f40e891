"""The verbs: what kawe does, told through ports alone.

Whatever reads the journal raises `JournalError` where that cannot be read: it stops
the run, and only what a verb raises besides is said of it.
"""
