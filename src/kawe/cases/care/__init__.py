"""The journal and its files are looked after."""
