"""The steps from an empty database to today's, each one a script.

A script that was ever released is never changed: folders made by it exist.
"""
