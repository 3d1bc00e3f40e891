"""The commands as a local page, for people who never open a terminal.

It holds no rule of its own: every run goes through `kawe.cases`, one at a time, and
stopping the desk anywhere is like stopping the command.
"""
