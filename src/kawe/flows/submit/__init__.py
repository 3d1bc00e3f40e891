"""Submitting: a plan is carried out, each act once."""
