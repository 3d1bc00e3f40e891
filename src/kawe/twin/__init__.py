"""The whole consultation service on your own machine.

An ASGI application with real storage: the same paths, rules, states, scopes,
tokens and refusals as the service. It shares the contract with the client and
nothing else, so that a misreading of the interface cannot agree with itself.
"""
