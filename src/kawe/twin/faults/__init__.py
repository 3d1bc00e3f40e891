"""The switchboard: making the twin behave badly, on purpose and countably.

It stands around the two applications and is not there at all unless it was
asked for. Faults happen to requests, never to the data: whatever the service
did is what it would have done, and the ledger says whether it did.
"""
