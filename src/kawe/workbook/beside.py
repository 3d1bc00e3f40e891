"""What lies beside a workbook: others with a similar name, and lock files."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Final

from kawe.domain.text.counts import some_of
from kawe.domain.text.texts import fold_name, one_line

_ENDINGS: Final = frozenset({".xlsx", ".xlsm", ".xls", ".csv", ".tsv", ".txt", ".ods"})
_SHOWN: Final = 3
_NEAR: Final = 0.6


def near_names(path: Path) -> str:
    """Say where a file that is not there was looked for, and what lies there."""
    folder = path.parent.resolve()
    where = one_line(str(folder), limit=300)
    try:
        names = sorted(each.name for each in folder.iterdir() if _is_workbook(each))
    except OSError:
        return f"There is no folder {where} that kawe can read. Check its name."
    program = locked_by(path)
    if program:
        return (
            f"In {where} {program} has it open, and it was perhaps never saved: save "
            "it there first."
        )
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(fold_name(Path(name).stem), name)
    wanted = path.stem if path.suffix.casefold() in _ENDINGS else path.name
    near = get_close_matches(fold_name(wanted), folded, n=_SHOWN, cutoff=_NEAR)
    if near:
        meant = " or ".join(f"“{one_line(folded[each])}”" for each in near)
        return f"kawe looked in {where}. Did you mean {meant}?"
    if not names:
        return f"kawe looked in {where}, where no workbook lies."
    there = some_of([f"“{one_line(each)}”" for each in names], shown=_SHOWN)
    return f"kawe looked in {where}. The workbooks there: {there}."


def locked_by(path: Path) -> str:
    """Name the program whose lock file lies beside a workbook, or nothing."""
    locks = {"Excel": f"~${path.name}", "LibreOffice": f".~lock.{path.name}#"}
    for program, name in locks.items():
        try:
            if path.with_name(name).exists():
                return program
        except (OSError, ValueError):
            # With its mark it is too long for this disk, or it is “.”.
            continue
    return ""


def unsaved_words(path: Path) -> str:
    """Remind of saving where a workbook is open elsewhere; empty where it is not."""
    program = locked_by(path)
    if not program or not path.exists():
        return ""
    return (
        f"A lock file of {program} lies beside “{one_line(path.name)}”. kawe reads "
        f"what was saved last: remember to save in {program}."
    )


def _is_workbook(path: Path) -> bool:
    is_meant = path.suffix.casefold() in _ENDINGS and not path.name.startswith(
        ("~$", ".")
    )
    return is_meant and ".result" not in path.name and path.is_file()
