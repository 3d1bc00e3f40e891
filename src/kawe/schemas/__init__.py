"""The rules for one kind of row, and what checks them.

The rules are data: `columns.json` in the folder of each kind below `kawe.kinds`. It
cites the contract for enums, limits and shapes, and says what people see of a column
(heading, hint, example, synonyms, words for choices). `catalog` makes the row schema of
it, with the columns as they are told under `x-kawe`. Template, reader, checker and
documentation all take their columns from `catalog`. What came damaged with the package
raises `SchemaError`.
"""
