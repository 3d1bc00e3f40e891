"""The whole consultation service on your own machine.

An ASGI application with real storage and all rules of the service. It shares only the
contract with the client, so that both cannot have the same misreading.
"""
