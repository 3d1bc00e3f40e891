"""Text that nobody else on this machine may read: a key in a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from kawe.contract.headers import LIVE_MARK, SANDBOX_MARK
from kawe.durable import make_folder, replacing, sweep
from kawe.errors import GuardRefused, KeyMissing


def private_text(path: Path) -> str:
    """Read a file that is its owner's alone.

    Raises:
        GuardRefused: Others can read it, or its name is a key.
        KeyMissing: It cannot be read.
    """
    try:
        mode = path.stat().st_mode
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise GuardRefused(
                message=f"Others can read the key file {path}.",
                hint=f"Run: chmod 600 {path}",
            )
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as trouble:
        if LIVE_MARK in str(path) or SANDBOX_MARK in str(path):
            # Whoever put the key itself there must not find it in the message.
            raise GuardRefused(
                message="key_file looks like a key; it takes the name of a file.",
                hint="Put the key into a file that only you can read, and name that.",
            ) from None
        raise KeyMissing(
            message=f"The key file {path} cannot be read.",
            hint="Check its name, and that you may read it.",
        ) from trouble


def write_whole(path: Path, text: str, *, keeps_rights: bool) -> None:
    """Put a text in its place whole or not at all.

    It is for its owner's eyes alone, unless a file that was there `keeps_rights`.
    What a killed kawe left there half done, perhaps a whole key, goes first.

    Raises:
        OSError: It cannot be written there; what stood there stands.
    """
    make_folder(path.parent)
    # At once: nobody sets kawe up twice in the same moment.
    sweep(path.parent, after_seconds=0)
    rights = path.stat().st_mode & 0o777 if keeps_rights and path.exists() else 0o600
    with replacing(path, rights=rights) as file:
        file.write(text.encode())
