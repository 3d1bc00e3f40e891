"""Settings files: read, checked by name, made layers of, and added to.

An unknown setting is an error, and so is a key: people copy settings files.

Only this person's own file is added to, and existing lines never change. New lines go
to the beginning (every profile) or the end (one profile). Other values in the file are
an error, which names the lines to change.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing, sweep
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.table import (
    LIMITS,
    SETTINGS,
    Giver,
    Layer,
    Origin,
    Values,
    refuse_unknown,
)
from kawe.system import is_windows
from kawe_contract.headers import LIVE_MARK, SANDBOX_MARK

if TYPE_CHECKING:
    # POSIX alone.
    from grp import struct_group
    from pwd import struct_passwd

_KEY_NAMES: Final = frozenset({"key", "api_key", "KAWE_API_KEY"})


def read_file(path: Path) -> Values:
    """Read one settings file; a missing file is empty.

    Raises:
        GuardRefused: It holds a key.
    """
    try:
        text = plain_text(path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as trouble:
        raise SettingsError(
            message=f"{path} cannot be read.",
            hint="Look whether it is an ordinary file that you may read, and whether "
            f"it is saved as UTF-8; then {Next.AGAIN}.",
        ) from trouble
    return _values(text, path)


@lru_cache(maxsize=8)
def _values(text: str, path: Path) -> Values:
    """Read settings; a bureau's are asked for by each of its profiles."""
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as trouble:
        raise SettingsError(
            message=f"{path} is not written as settings: {one_line(str(trouble))}."
        ) from trouble
    profiles = values.get("profile", {})
    scopes = [values, *(profiles.values() if isinstance(profiles, dict) else [None])]
    for scope in scopes:
        if not isinstance(scope, dict):
            raise SettingsError(
                message=f"{path}: profile has a value of a wrong kind.",
                hint="Profiles are sections, such as [profile.test].",
            )
        _lift_limits(scope, path=path)
        _check_names(scope, path=path)
    return values


def _lift_limits(scope: dict[str, Any], *, path: Path) -> None:
    """Take what stands in `[limits]` as if it stood above all sections."""
    if isinstance(limits := scope.get("limits"), dict):
        refuse_unknown("limits", limits, names=LIMITS)
        if twice := sorted(scope.keys() & limits.keys()):
            raise SettingsError(message=f"{path} says {twice[0]} twice.")
        scope |= scope.pop("limits")


def read_own_file(path: Path) -> Values:
    """Read the person's own settings file; nobody else may write it.

    Raises:
        GuardRefused: Others can write it, or it holds a key.
    """
    refuse_writable(path)
    return read_file(path)


def layers_of(
    values: Values, *, path: Path, profile: str, giver: Giver
) -> Iterator[Layer]:
    """Give the layers of a file: every profile, then this one."""
    own = {name: value for name, value in values.items() if name != "profile"}
    yield Layer(origin=Origin(giver=giver, name=str(path), file=path), values=own)
    if (section := values.get("profile", {}).get(profile)) is not None:
        name = f"{path} [profile.{one_line(profile)}]"
        origin = Origin(giver=giver, name=name, file=path)
        yield Layer(origin=origin, values=section, profile=profile)


def _check_names(values: Values, *, path: Path) -> None:
    for name, value in values.items():
        if name == "profile" and isinstance(value, dict):
            continue
        if name in _KEY_NAMES:
            raise GuardRefused(
                message=f"{path} holds a key.",
                hint="Take it out: a key comes from KAWE_API_KEY, from the file that "
                f"key_file names, or is kept by {Next.INIT}.",
            )
        if name not in SETTINGS:
            raise SettingsError(
                message=f"{path} has an unknown setting {one_line(name)!r}.",
                hint=f"Settings are: {', '.join(SETTINGS)}.",
            )
        if not isinstance(value, SETTINGS[name].kind) or isinstance(value, bool):
            raise SettingsError(message=f"{path}: {name} has a value of a wrong kind.")
    _check_service(values.get("service", {}), path=path)


def _check_service(service: Values, *, path: Path) -> None:
    for name, value in service.items():
        if name in _KEY_NAMES:
            _check_names({name: value}, path=path)
        if name != "paths" or not isinstance(value, dict):
            raise SettingsError(
                message=f"{path}: [service] cannot hold {one_line(name)!r}.",
                hint="It holds [service.paths] alone.",
            )


_PROFILE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def checked_profile(name: str) -> str:
    """Check the name of a profile."""
    if not _PROFILE.fullmatch(name):
        raise SettingsError(
            message=f"{one_line(name)!r} is no name for a profile.",
            hint="Use letters from a to z, digits, - and _.",
        )
    return name


_OF_A_KEY: Final = "base_url", "mode", "team", "key_store", "key_file", "key_command"


def without_others(text: str, wanted: Mapping[str, str], *, profile: str) -> str:
    """Take out the lines of another key; leave a file that is not so simple."""
    before = tomllib.loads(text)
    if profile != "default" or "default" in before.get("profile", {}):
        return text
    others = {e for e in _OF_A_KEY if before.get(e) not in (None, wanted.get(e))}
    lines = text.splitlines(keepends=True)
    begun = (n for n, line in enumerate(lines) if line.lstrip().startswith("["))
    top = next(begun, len(lines))
    own = [line for line in lines[:top] if line.partition("=")[0].strip() not in others]
    after = "".join([*own, *lines[top:]])
    left = {name: value for name, value in before.items() if name not in others}
    try:
        return after if tomllib.loads(after) == left else text
    except tomllib.TOMLDecodeError:
        return text


def with_settings(text: str, wanted: Mapping[str, str], *, profile: str) -> str:
    """Add the `wanted` settings to the text of a file that has none of them."""
    before = tomllib.loads(text)
    section = before.get("profile", {}).get(profile)
    is_bare = profile == "default" and section is None
    # A named profile needs all values in its own section.
    own: Mapping[str, object] = before if is_bare else section or {}
    missing = {name: value for name, value in wanted.items() if own.get(name) != value}
    if not missing:
        return text
    in_the_way = [name for name in (*missing, "key_file", "key_command") if name in own]
    if in_the_way or section is not None:
        raise _says_otherwise(in_the_way or list(missing), missing)
    lines = [f"{name} = {quoted(value)}" for name, value in missing.items()]
    end = "\r\n" if "\r\n" in text else "\n"
    after = _placed(text, lines, end=end, profile=None if is_bare else profile)
    try:
        is_safe = _says_the_same(before, tomllib.loads(after), profile=profile)
    except tomllib.TOMLDecodeError:
        is_safe = False
    # Parse the new text as a check.
    if not is_safe:
        raise SettingsError(
            message="Your settings file is written in a way that cannot be added to.",
            hint=f"Nothing was changed. Write there yourself: {'; '.join(lines)}",
        )
    return after


def _placed(text: str, lines: list[str], *, end: str, profile: str | None) -> str:
    if profile is None:
        gap = [""] if text else []
        return end.join([*lines, *gap, text])
    begins = text if not text or text.endswith("\n") else text + end
    gap = [""] if text else []
    return begins + end.join([*gap, f"[profile.{profile}]", *lines, ""])


def _says_otherwise(names: list[str], wanted: Mapping[str, str]) -> SettingsError:
    lines = "; ".join(f"{name} = {quoted(value)}" for name, value in wanted.items())
    others = [name for name in names if name not in wanted]
    also = f" and take out {' and '.join(others)}" if others else ""
    return SettingsError(
        message=f"Your settings file says something else already: {', '.join(names)}.",
        hint=f"Nothing was changed. Write there yourself: {lines}{also}. Or keep this "
        f"key under a new profile: {Next.OWN_PROFILE('NAME')}",
    )


def _says_the_same(
    before: Mapping[str, Any], after: Mapping[str, Any], *, profile: str
) -> bool:
    kept = {name: value for name, value in after.items() if name in before}
    if "profile" in kept:
        kept["profile"] = {
            name: value
            for name, value in after["profile"].items()
            if name != profile or name in before["profile"]
        }
    return kept == dict(before)


def quoted(value: str) -> str:
    # TOML has JSON's escapes, except this one.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


_MOST_BYTES: Final = 1024**2


def private_text(path: Path) -> str:
    """Read a file that only its owner can read.

    Raises:
        GuardRefused: Others can read it, or its name is a key.
    """
    try:
        return unshared_text(path, called="key file").strip()
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


def unshared_text(path: Path, *, called: str) -> str:
    """Read a file as `plain_text` does; `GuardRefused`: others can read it."""
    text = plain_text(path)
    if others_can_read(path):
        raise GuardRefused(
            message=f"Others can read the {called} {path}.",
            hint=f"Run: chmod 600 {path}",
        )
    return text


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


def typed_path(said: str | Path) -> Path:
    """Give a path as a shell does; ~name stays where nobody is called so."""
    try:
        return Path(said).expanduser()
    except RuntimeError:
        return Path(said)


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
