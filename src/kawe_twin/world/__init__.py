"""Values of the twin: time, keys, iwi, answers."""
