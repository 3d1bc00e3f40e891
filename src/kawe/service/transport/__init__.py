"""One request and its answer: connection, addresses, limits, nothing of rows."""
