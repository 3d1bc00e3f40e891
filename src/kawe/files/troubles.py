"""Messages for every error of a file."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from kawe.domain.sheet.findings import Remark, Severity
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line
from kawe_contract.limits import UPLOAD_MAX_BYTES

MOST_FILES: Final = 100
"""How many files one pattern can mean."""
MOST_UNASKED: Final = 10
"""How many files one pattern can mean without a person's agreement."""
_NAMED: Final = 3


_SAID: Final[Mapping[str, tuple[str, str]]] = {
    "file-empty": ("is empty.", "Save it again, or take its name away."),
    "file-changing": (
        "was changed while kawe read it.",
        "Close it in the program that writes it, then run again.",
    ),
    "file-unreadable": (
        "cannot be opened.",
        (
            "Make sure that it is there, that you may read it, and that no other "
            "program holds it."
        ),
    ),
    "file-outside": (
        "is a link that leads out of the files folder.",
        "Put the file itself into the files folder.",
    ),
    "file-is-folder": (
        "is a folder.",
        "Name the files in it; /* after the folder's name means them all.",
    ),
    "file-not-a-file": (
        "is not an ordinary file.",
        "Put a copy of the document into the files folder.",
    ),
    "file-too-many": (
        f"means more than {MOST_FILES} files.",
        "Name fewer, or put this row's files into a folder of their own.",
    ),
    "file-secret": (
        (
            "is hidden, or is called like a key, a store of passwords or a file of "
            "kawe's own: such a file is never attached."
        ),
        "If it is a document, save it under another name or as a PDF.",
    ),
    "file-not-as-named": (
        "does not hold what its name says; it may be damaged.",
        "Open it to make sure, and save it again.",
    ),
}
"""What is said of a file by its name alone, and what to do."""


def shown_name(name: str) -> str:
    return f"“{one_line(name, limit=80)}”"


def trouble(rule: str, name: str, *, severity: Severity = Severity.ERROR) -> Remark:
    """Report a rule that a file breaks, with the words of the table."""
    words, advice = _SAID[rule]
    message = f"{shown_name(name)} {words}"
    return Remark(rule=rule, message=message, advice=advice, severity=severity)


def gathered(files: int, shown: str, *, folder: Path | None) -> tuple[str, str]:
    """Say that missing files lie together in a folder below the root, and what to do.

    `folder` is None where other files lie elsewhere, so that it cannot be named alone.
    """
    shown = one_line(shown, limit=120)
    message = f"All {files:,} files that are missing lie in {shown}."
    if folder is None:
        return message, f"Move them beside the others, or write {shown}/ before each."
    try:
        named = os.path.relpath(folder)
    except ValueError:
        # Another drive of Windows.
        named = str(folder)
    named = one_line(str(folder) if named.startswith("..") else named, limit=200)
    return message, f"{Next.ADD_FILES(named)}."


def too_large(name: str, size_bytes: int) -> Remark:
    """Report a file that the service does not take (interface, Limits)."""
    # Rounded up: a file just over the limit is never 100.0.
    mebibytes = -(-size_bytes * 10 // 1024**2) / 10
    return Remark(
        rule="file-too-large",
        message=f"{shown_name(name)} has {mebibytes:,.1f} MB; "
        f"{UPLOAD_MAX_BYTES // 1024**2} MB is the most.",
        advice="Make it smaller or split it.",
    )


def wide(name: str, files: Sequence[str], *, accepted: bool) -> Remark:
    """Report a pattern that means more than a person may think of."""
    named = ", ".join(map(shown_name, files[:_NAMED]))
    more = len(files) - _NAMED
    rest = f" and {more} more" if more > 0 else ""
    means = f"{shown_name(name)} means {counted(len(files), 'file')}: {named}{rest}."
    if accepted:
        return Remark(
            rule="file-pattern",
            message=means,
            advice="Look at the list of files before you send.",
            severity=Severity.WARNING,
        )
    return Remark(
        rule="file-pattern",
        message=means,
        advice="Name the files that are meant; or, if they all are, run again with "
        f"{Given.ACCEPT_PATTERNS}.",
    )


def ambiguous(name: str, paths: Sequence[Path]) -> Remark:
    """Report names that differ only in case."""
    names = " and ".join(shown_name(path.name) for path in paths[:3])
    return Remark(
        rule="file-ambiguous",
        message=f"{shown_name(name)} could be more than one file: {names}.",
        advice="Write the name exactly as the file is called.",
    )


def listed(names: Sequence[str]) -> Remark:
    return Remark(
        rule="files-listed",
        message=f"Read as {counted(len(names), 'file')}: "
        f"{'; '.join(one_line(name, limit=80) for name in names)}.",
        advice="",
        severity=Severity.NOTE,
    )


def unlisted(shown: str, root: str, parts: Sequence[tuple[str, bool]]) -> Remark:
    """Report a text that may name several files, not all of which are there.

    `parts` are what it may name, and whether each is there.
    """
    missing = [shown_name(name) for name, is_there in parts if not is_there]
    named = ", ".join(missing[:_NAMED])
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    absent = f" Not there: {named}{more}." if len(missing) < len(parts) else ""
    return Remark(
        rule="file-missing",
        message=f"There is no file {shown} in {root}.",
        advice=f"If it names several files, put ; between them.{absent} Check the "
        "names, or put the files there.",
    )
