"""Durable memory: what was about to happen, and what did.

`StoreJournal` is the one journal: `rules` says what it allows, `writer` makes
commits of its calls, and a `Store` keeps what it says. One decision to know:
a journal in memory differs in its store alone, so a flow that a test runs over
memory is held as strictly as one that runs over the disk.
"""
