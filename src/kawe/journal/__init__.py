"""Durable memory: what was about to happen, and what did.

`rules` says what a journal allows, `memory` and `sqlite` keep it, `verify`
looks for tampering. One decision to know: both journals ask the same pure
rules, so a flow that a test runs over the memory is held as strictly as one
that runs over the disk.
"""
