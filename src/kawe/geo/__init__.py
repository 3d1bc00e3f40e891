"""Reads typed places and finds them on the ground.

A place decides the iwi, and a send is final. So kawe reads notation that cannot move
the place, only suggests what would move it, and refuses the rest with a reason.
"""
