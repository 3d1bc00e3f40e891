"""Words in, words out: one file per command."""
