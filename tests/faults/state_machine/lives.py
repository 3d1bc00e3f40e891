"""Lives with the twin, and with a journal on disk."""

from __future__ import annotations

from pathlib import Path

from doubles.twin_world import TwinWorld
from doubles.world import World
from faults.state_machine.desk import Drawer, SqliteDrawer
from faults.state_machine.life import TOKENS, Life


class LifeOnDisk(Life):
    """A life whose journal is on disk."""

    def make_drawer(self, folder: Path) -> Drawer:
        """Keep the journal in a file."""
        return SqliteDrawer(folder)


class LifeWithTwin(Life):
    """A life with the twin, through the whole of our wire."""

    has_files = False

    def make_world(self, folder: Path) -> World:
        """Put the twin into the world."""
        return TwinWorld(folder / "twin", tokens=TOKENS)
