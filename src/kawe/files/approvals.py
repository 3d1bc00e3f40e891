"""Signed approvals on the disk, each a file of its own beside the plan.

`plan.approval.json` belongs to `plan.json`; `plan.approval-2.json` is a second one. The
file of the plan never changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape
from itertools import count
from pathlib import Path
from typing import Final

from kawe.domain.batch.approvals import SignedApproval, approval_from_text
from kawe.domain.text.texts import one_line
from kawe.errors import ResultNotWritable
from kawe.files.saving import save_named

_MOST_BYTES: Final = 64 * 1024
_MOST_FILES: Final = 50


def write_approval(signed: SignedApproval, *, plan: Path, wanted: Path | None) -> Path:
    """Write an approval that only its owner can read, and give its name.

    It replaces no file, unless `wanted` names an approval.

    Raises:
        ResultNotWritable: It cannot be written there.
    """
    path = wanted or next(each for each in _names(plan) if not each.exists())
    if path.exists() and read_approval(path) is None:
        raise ResultNotWritable(
            message=f"{one_line(str(path))} is there, and it is no approval.",
            hint="Nothing was written. Choose another name with -o.",
        )
    save_named(path, signed.to_text().encode(), called="approval")
    return path


def approval_files(plan: Path) -> list[Path]:
    """List the approvals that lie beside a plan."""
    found = plan.parent.glob(f"{escape(plan.stem)}.approval*.json")
    return sorted(found)[:_MOST_FILES]


def read_approval(path: Path) -> SignedApproval | None:
    """Read an approval; None: it is none, or not as kawe wrote it."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        return approval_from_text(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError):
        return None


def _names(plan: Path) -> Iterator[Path]:
    for number in count(1):
        nth = "" if number == 1 else f"-{number}"
        yield plan.with_name(f"{plan.stem}.approval{nth}.json")
