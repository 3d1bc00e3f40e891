"""What a sheet can hold: one folder for each kind.

A folder has the content of its rows, their rules (`columns.json`), their checks and
steps, how a doubt is settled, and words for people. `kawe.flows.kinds.Kind` says what a
kind must have; `kawe.cases.kinds` has the table of kinds.
"""
