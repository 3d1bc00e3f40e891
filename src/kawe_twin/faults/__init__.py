"""Fault injection for the twin: `kawe serve --faults` (the switchboard).

Faults wrap the two applications and change requests and answers, never data. The ledger
records what the service did.
"""
