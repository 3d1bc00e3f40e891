"""Durable memory: what was about to happen, and what did."""
