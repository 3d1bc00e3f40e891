"""The rules for one kind of row, and what checks them.

The rules are data: `row.schema.json` in the folder of each kind below `kawe.kinds`.
It refers to the contract for enums, limits and shapes, and adds what people see of a
column (`x-kawe`: heading, hint, example, synonyms, words for choices). Template,
reader, checker and documentation all take their columns from `catalog`. What
came damaged with the package raises `SchemaError`.
"""
