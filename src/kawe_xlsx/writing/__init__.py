"""Writing an .xlsx: its parts as XML, its sheets row by row."""
