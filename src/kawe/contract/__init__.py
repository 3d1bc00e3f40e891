"""The interface of the consultation service, as data.

It has paths, scopes, headers, enums, limits and the JSON Schemas of every body, from
the interface description, version 1.31.1. No other room defines an enum or limit. It
has no code to send or answer requests, so client and twin can share it.
"""
