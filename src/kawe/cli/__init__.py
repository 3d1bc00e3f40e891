"""Words in, words out: one file per command.

A command raises what its case raises, and `run_and_exit` prints it; a docstring names
only what a function raises besides.
"""
