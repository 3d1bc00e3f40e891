"""The storage origin: files are posted under grants and fetched under links."""
