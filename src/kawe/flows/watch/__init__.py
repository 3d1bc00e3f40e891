"""Watching what became of projects that were sent, round by round."""
