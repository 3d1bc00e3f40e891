"""What each operation does, one module per subject.

A rule is a function of a call and an open transaction. It returns the answer, or raises
a `Refusal`, which undoes all that it wrote.
"""
