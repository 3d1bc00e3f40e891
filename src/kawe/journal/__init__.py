"""Durable memory: what was about to happen, and what did.

`StoreJournal` is the one journal: `rules` says what it allows, `writer` groups its
calls into commits, and a `Store` keeps the data. A journal in memory differs in its
store alone, so tests over memory and over the disk have the same rules.

Whatever opens, reads or checks a journal may raise `JournalError`: `JournalLocked`
where another process writes it, and `JournalNewer` where a newer kawe wrote it.
"""
