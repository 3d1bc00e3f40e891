"""Which operating system this is: the one module that asks."""

import os
import sys
from enum import Enum, auto
from typing import Final


class OperatingSystem(Enum):
    """The systems that differ for kawe."""

    WINDOWS = auto()
    MACOS = auto()
    OTHER_POSIX = auto()


_FOUND: Final = {"nt": OperatingSystem.WINDOWS, "darwin": OperatingSystem.MACOS}
HERE = _FOUND.get(os.name) or _FOUND.get(sys.platform, OperatingSystem.OTHER_POSIX)
"""This one; a test of what another does puts that one here."""


def is_windows() -> bool:
    """Check that files have no POSIX rights, and groups of processes no signals."""
    return HERE is OperatingSystem.WINDOWS


def is_macos() -> bool:
    """Check that what Linux tells in /proc is asked of programs."""
    return HERE is OperatingSystem.MACOS
