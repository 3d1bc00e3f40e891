"""Whose approval counts, and this person's own approval key.

`[approvers.keys]` gives the public key of each name. The private key lies in a file of
this person's settings, encrypted where it has a passphrase; its public key lies there
in the open, so that kawe knows its own approvals without asking for the passphrase.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kawe.domain.batch.approvals import KEY_MARK, Approvers, public_key_in
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold_name, one_line
from kawe.errors import KeyMissing, SettingsError
from kawe.settings.files import private_text, write_whole
from kawe.settings.keeping import user_folder
from kawe.settings.table import refuse_unknown

PASSPHRASE: Final = "KAWE_APPROVAL_PASSPHRASE"  # noqa: S105 - the name of a variable
_KINDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "keys": dict,
    "require": int,
    "within_hours": (int, float),
    "allow_own": bool,
    "allow_same_user": bool,
}
_MOST_HOURS: Final = 24 * 366


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalKey:
    """The approval key of this person, as it is kept."""

    public_key: str
    """32 bytes in base64."""
    pem: str = field(repr=False)
    """The private key."""


def approvers_of(section: Mapping[str, object] | None) -> Approvers | None:
    """Read the section `[approvers]`; None: there is none."""
    if section is None:
        return None
    refuse_unknown("approvers", section, names=_KINDS)
    for name, value in section.items():
        kind = _KINDS[name]
        if not isinstance(value, kind) or (isinstance(value, bool) != (kind is bool)):
            raise SettingsError(
                message=f"[approvers] {name} has a value of a wrong kind."
            )
    said = dict(section)
    keys = _keys(said.pop("keys", {}))
    found = Approvers(keys=keys, **said)  # type: ignore[arg-type] # checked above
    if not 1 <= found.require <= len(keys):
        raise SettingsError(
            message=f"[approvers] require is {found.require}, and there "
            f"are {len(keys)} keys in [approvers.keys].",
            hint="Write a number from 1 to the number of keys.",
        )
    hours = found.within_hours
    # In this form NaN is refused too.
    if hours is not None and not 0 < hours <= _MOST_HOURS:
        raise SettingsError(
            message=f"[approvers] within_hours is between 0 and {_MOST_HOURS}, not "
            f"{hours}."
        )
    return found


def _keys(section: object) -> tuple[tuple[str, str], ...]:
    keys: dict[str, str] = {}
    for name, text in section.items() if isinstance(section, dict) else ():
        shown = one_line(name, limit=100)
        try:
            key = public_key_in(text if isinstance(text, str) else "")
        except ValueError:
            raise SettingsError(
                message=f"[approvers.keys] {shown!r} has no public key.",
                hint=f"Paste there the line that comes from {Next.SHOW_KEY}: "
                f'it has "{KEY_MARK}" and 44 characters.',
            ) from None
        if not fold_name(shown) or shown in keys or key in keys.values():
            raise SettingsError(
                message=f"[approvers.keys] {shown!r} is no name, or its key stands "
                "there twice.",
                hint="Each person has a name and one key, which nobody else has.",
            )
        keys[shown] = key
    return tuple(keys.items())


def approval_key_path() -> Path:
    return user_folder() / "approval-key.json"


def keep_approval_key(key: ApprovalKey) -> Path:
    """Keep this person's approval key where nobody else can read it."""
    path = approval_key_path()
    text = json.dumps({"public_key": key.public_key, "private_key": key.pem})
    write_whole(path, text, keeps_rights=False)
    return path


def kept_approval_key() -> ApprovalKey | None:
    """Give this person's approval key; None: there is none yet."""
    path = approval_key_path()
    if not path.exists():
        return None
    try:
        found = json.loads(private_text(path))
        public = public_key_in(found["public_key"])
        return ApprovalKey(public_key=public, pem=str(found["private_key"]))
    except (ValueError, LookupError, TypeError, AttributeError):
        # The parser's error could show the key.
        raise KeyMissing(
            message=f"The approval key in {path} is not what kawe kept.",
            hint="Restore the file from a backup. Or move it away: kawe then makes a "
            "new key, and whoever submits must pin that one.",
        ) from None
