"""The client of the service: acts, lookups, uploads and verdicts."""
