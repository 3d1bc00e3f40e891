"""Lists of the service as files."""
