"""Plain frozen values and pure rules; standard library only."""
