"""The interface of the consultation service, as data.

Paths, scopes, headers, enums, limits and the JSON Schemas of every body, all
taken from the interface description, version 1.31.1. The client, the twin,
the row schemas, the templates and the documentation take them from here; no
enum or limit is written anywhere else. Nothing here knows how to send or to
answer a request: that is what lets the twin share it with the client.
"""
