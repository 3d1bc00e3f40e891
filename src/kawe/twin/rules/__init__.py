"""What each operation does, one module per subject.

A rule is a plain function of a call and an open transaction. It returns what
the caller gets, or raises a `Refusal`, which undoes everything it wrote.
"""
