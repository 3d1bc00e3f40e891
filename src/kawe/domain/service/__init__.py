"""What the service tells, and what its answers let us conclude."""
