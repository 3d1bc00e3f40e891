"""Settling: the result of a doubt or a held row, by asking or by a decision."""
