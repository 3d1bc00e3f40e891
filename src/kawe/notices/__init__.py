"""Notifies people by a program of theirs, or by apprise.

A child process with a time limit sends each notice, so that a run never fails or waits
for a mail server, a library or a program.
"""

from kawe.notices.notifier import SENDER, Notifier, channels_to

__all__ = ["SENDER", "Notifier", "channels_to"]
