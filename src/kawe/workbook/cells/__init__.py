"""Reading single cells: one small module per kind of cell.

A reader never raises and never guesses: it gives a value, or None with a
remark of severity error that says what stands there and what to do. What can
only be one thing is read with a note; what could be two is refused.
"""
