"""Settling: what a doubt or a held row comes to, by asking or by a person's word."""
