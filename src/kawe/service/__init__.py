"""The client of the service: acts, lookups, uploads and verdicts.

A question without a usable answer raises `ServiceError`, and `ContractBroken` where the
service names an address that is not safe to use. Settings that name no operation, or no
usable proxy, raise `SettingsError`.
"""
