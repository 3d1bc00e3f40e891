"""Telling people who are not at the screen: by a program of theirs, or apprise.

Each notice is carried by another process with a time limit. Whatever a mail
server, a library or a program does there, the run neither waits nor fails.
"""

from kawe.notices.notifier import Notifier, Targets

__all__ = ["Notifier", "Targets"]
