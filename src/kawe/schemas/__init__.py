"""The rules for one kind of row, and what checks them.

The rules are data: `data/*.schema.json` holds one JSON Schema per kind of
sheet. Enums, limits and the shapes of fields stand in the contract alone and
are referred to from there; what is added here is what people see of a column
(`x-kawe`: its heading, hint, example, synonyms and the words for its
choices). The template, the reader, the checker and the documentation all
take their columns from `catalog`, so a rule and its explanation cannot part.
"""
