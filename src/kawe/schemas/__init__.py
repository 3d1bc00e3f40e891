"""The rules for one kind of row, and what checks them.

The rules are data: one JSON Schema for each kind of sheet, `row.schema.json` in its
folder below `kawe.kinds`. Enums, limits and the shapes of fields stand in the
contract alone and are referred to from there; what is added is what people see of a
column (`x-kawe`: its heading, hint, example, synonyms and the words for its
choices). The template, the reader, the checker and the documentation all
take their columns from `catalog`, so a rule and its explanation cannot part.
"""
