"""Reading single cells: one small module per kind of cell.

A reader never raises and never guesses: it gives a value, or None with an error
remark. A text with one possible meaning is read with a note; with two, refused.
"""
