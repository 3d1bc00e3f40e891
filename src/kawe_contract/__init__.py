"""The interface of the consultation service, as data.

From the interface description, version 1.31.1. Nothing else defines an enum or a limit.
It has no code to send or answer requests, so client and twin can share it. Its modules
are what it offers:

- `operations`: `OPERATIONS`, each with its name, method, path, scopes and bodies.
- `enums`, `headers`, `limits`: the words and numbers of the service.
- `requests`, `shapes`: JSON Schemas of the bodies that are sent and answered.
- `openapi`: all of it as an OpenAPI document; `document` puts schemas together.
"""
