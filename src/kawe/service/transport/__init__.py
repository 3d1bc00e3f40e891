"""One request and its answer: connections, addresses, limits; no rows."""
