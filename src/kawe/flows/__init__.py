"""The verbs: what kawe does, told through ports alone."""
