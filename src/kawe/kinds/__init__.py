"""What a sheet can hold: one folder for each kind.

A folder owns what its rows say, the rules for one row (`row.schema.json`), how
they are read and checked, their steps and how a doubt about each is settled, and the
words for people. `kawe.flows.kinds.Kind` says what a kind must know;
`kawe.toolkit.kinds` has the table of kinds.
"""
