"""Where things are: reads what people type as a place and finds it on the ground.

A place decides which iwi is asked, and a send cannot be undone. So notation
that cannot change the place is read with a note; anything that would move the
place is only suggested; the rest is refused with its reason.
"""
