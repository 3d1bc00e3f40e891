"""Checks that others cannot read a key file or write a settings file."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kawe.domain.text.next_steps import Next
from kawe.durable import make_folder, replacing, sweep
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.system import is_windows
from kawe_contract.headers import LIVE_MARK, SANDBOX_MARK

if TYPE_CHECKING:
    # POSIX alone.
    from grp import struct_group
    from pwd import struct_passwd


_MOST_BYTES: Final = 1024**2


def private_text(path: Path) -> str:
    """Read a file that only its owner can read.

    Raises:
        GuardRefused: Others can read it, or its name is a key.
        KeyMissing: It cannot be read.
    """
    try:
        if others_can_read(path):
            raise GuardRefused(
                message=f"Others can read the key file {path}.",
                hint=f"Run: chmod 600 {path}",
            )
        return plain_text(path).strip()
    except (OSError, UnicodeDecodeError) as trouble:
        if LIVE_MARK in str(path) or SANDBOX_MARK in str(path):
            # The name may be the key, so the message omits it.
            raise GuardRefused(
                message="key_file looks like a key; it takes the name of a file.",
                hint="Put the key into a file that only you can read, and name that.",
            ) from None
        raise KeyMissing(
            message=f"The key file {path} cannot be read.",
            hint="Check its name, that it is a file, and that you may read it.",
        ) from trouble


def plain_text(path: Path) -> str:
    """Read the text of a small file that a person named.

    Raises:
        OSError: It is not there, no ordinary file, or far too large.
        UnicodeDecodeError: It is not UTF-8.
    """
    # A pipe would block, and a device has no end.
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError("not an ordinary file")
    with path.open("rb") as file:
        read = file.read(_MOST_BYTES + 1)
    if len(read) > _MOST_BYTES:
        raise OSError("too large")
    return read.decode()


def others_can_read(path: Path) -> bool:
    """Check that others can read a file; Windows tells it to no program of ours.

    Raises:
        OSError: It cannot be looked at.
    """
    mode = path.stat().st_mode
    return not is_windows() and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def refuse_writable(path: Path) -> None:
    """Check that nobody else on this machine can write a settings file.

    It may name a program that kawe starts. All folders above count too, except sticky
    ones such as /tmp. A missing file passes.

    Raises:
        GuardRefused: Somebody else can.
    """
    if is_windows() or not path.exists():
        return
    # A link and its target must both be safe.
    for each in dict.fromkeys(
        (path.resolve(), *path.resolve().parents, *path.absolute().parents)
    ):
        if _is_open(each):
            what = "folder" if each.is_dir() else "file"
            raise GuardRefused(
                message=f"Others can write to the {what} {each}, and so change your "
                "settings.",
                hint=f"Nothing was sent. Look whether {path} is as you left it, then "
                f"run: chmod go-w {each}",
            )


def _is_open(path: Path) -> bool:
    found = path.stat()
    if stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX:
        return False
    by_group = found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid)
    if not by_group and not found.st_mode & stat.S_IWOTH:
        return False
    # Kubernetes mounts settings with mode 0777 on a read-only file system.
    return not os.statvfs(path).f_flag & os.ST_RDONLY


def _is_own_group(gid: int) -> bool:
    import grp  # noqa: PLC0415 - POSIX alone
    import pwd  # noqa: PLC0415 - same

    if gid == 0:
        return True
    try:
        return is_alone_in(grp.getgrgid(gid), person=pwd.getpwuid(os.geteuid()))
    except KeyError:
        return False


def is_alone_in(group: struct_group, *, person: struct_passwd) -> bool:
    """Check that a group is a person's own, as systems with umask 002 have it."""
    return (
        person.pw_gid == group.gr_gid
        and group.gr_name == person.pw_name
        and set(group.gr_mem) <= {person.pw_name}
    )


def write_whole(path: Path, text: str, *, keeps_rights: bool) -> None:
    """Write a text whole or not at all.

    One that `keeps_rights` may lie where a link leads; any other is private. It first
    removes temporary files of a killed kawe, which may hold a key.

    Raises:
        SettingsError: It cannot be written; the old file is unchanged.
    """
    place = path.resolve() if keeps_rights else path
    try:
        make_folder(place.parent)
        # At once: nobody runs `kawe init` twice at the same time.
        sweep(place.parent, after_seconds=0)
        is_kept = keeps_rights and place.exists()
        rights = place.stat().st_mode & 0o777 if is_kept else 0o600
        with replacing(place, rights=rights) as file:
            file.write(text.encode())
    except OSError as trouble:
        raise SettingsError(
            message=f"{path} cannot be written: {trouble.strerror}.",
            hint=f"Make its folder writable for yourself, then {Next.AGAIN}.",
        ) from trouble
