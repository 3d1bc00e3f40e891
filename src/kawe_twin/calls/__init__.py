"""Calls, rules, and the checks of bodies and queries."""
