"""The API origin: access, request bodies, answers."""
