"""The rules for one kind of row, and what checks them."""
