"""A process that has kawe loaded and gives birth to commands: `python -m`.

Each line on stdin tells of one command, or asks whether one that goes on has ended;
its process is a fork that becomes the command line, and never comes back. Starting
Python and loading everything is paid for once.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import re
import sys
import threading
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, TextIO


def _become(told: dict[str, Any]) -> None:
    """Take on the surroundings of the command, then be it."""
    if told.get("typed") == told["out"]:
        os.setsid()
    os.chdir(told["folder"])
    os.environ.clear()
    os.environ.update(told["environment"])
    fresh = os.O_RDWR | os.O_CREAT | os.O_TRUNC
    opened = [
        os.open(path, flags | os.O_NOCTTY, 0o600)
        for path, flags in (
            (told.get("typed", os.devnull), os.O_RDONLY),
            (told["out"], fresh),
            (told["err"], fresh),
        )
    ]
    if told.get("goes_on"):
        # A terminal that nobody has open is gone: whoever made it may close it now.
        _say(os.getpid())
        os.umask(told["umask"])
    for handle, each in enumerate(opened):
        os.dup2(each, handle)
        os.close(each)
    # The parent reads lines from its own.
    sys.stdin = open(0, encoding="utf-8", errors=sys.stdin.errors, closefd=False)  # noqa: SIM115 - a handle, for as long as the process lives
    # Each remembers what its handle was: a file, a pipe, a terminal.
    sys.stdout = _writing(1, lines=os.isatty(1))
    sys.stderr = _writing(2, lines=True)
    sys.argv = ["kawe", *told["words"]]
    # It names itself as the installed program does, not as a module of these.
    sys.modules["__main__"].__package__ = ""
    if "disk" in told:
        _arm(told["disk"])
    from kawe.__main__ import main  # noqa: PLC0415 - where kawe is loaded

    main()


def _writing(handle: int, *, lines: bool) -> TextIO:
    how = 1 if lines else -1
    return open(handle, "w", how, encoding="utf-8", closefd=False)


def _leave(code: str | int | None) -> None:
    """End as Python does, and leave what is in memory to the kernel.

    To take apart all that was loaded costs more than a short command.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _arm(disk: dict[str, Any]) -> None:
    ctypes.CDLL(None).io_shim_arm(
        os.fsencode(disk["folder"]),
        os.fsencode(disk["report"]),
        os.fsencode(disk["log"]),
        disk["kind"],
        ctypes.c_uint64(disk["number"]),
        disk["error"],
        int(disk["keeps_on"]),
    )


def _load(names: list[str]) -> None:
    for name in names:
        # What begins with an underscore is loaded by what it belongs to, and
        # what cannot be loaded like this is loaded by the run. A keyring chooses
        # its place when it is loaded.
        if name.startswith(("_", "keyring")):
            continue
        with suppress(Exception):
            importlib.import_module(name)
    _make()
    # What is here already is nobody's rubbish: looking through it would copy
    # it into every child.
    gc.collect()
    gc.freeze()


def _make() -> None:
    """Make what most commands make first, and what the page of every result needs.

    A pattern is made when it is first used.
    """
    from kawe.cases.kit import coast_drawing  # noqa: PLC0415 - where kawe is loaded
    from kawe.days import NewZealandDays  # noqa: PLC0415 - same
    from kawe.domain.sheet.columns import SheetKind  # noqa: PLC0415 - same
    from kawe.html.rendering import templates_of  # noqa: PLC0415 - same
    from kawe.journal.store.location import why_unsafe  # noqa: PLC0415 - same
    from kawe.schemas.catalog import load_columns  # noqa: PLC0415 - same
    from kawe.workbook.reading import lines, notes  # noqa: PLC0415 - same
    from kawe.workbook.reading.headings import Recogniser  # noqa: PLC0415 - same
    from kawe_places.coast import coast  # noqa: PLC0415 - same

    coast()
    NewZealandDays().day_off(date(2030, 3, 1))
    Recogniser({kind: load_columns(kind) for kind in SheetKind.declared()})
    coast_drawing()
    why_unsafe(Path("/any/journal"), mounts="")
    re.fullmatch(lines._TOTAL, "")
    re.fullmatch(notes._HINT, "")
    re.fullmatch(notes._DATE_HINT, "", re.IGNORECASE)
    for name in ("base", "file", "parts", "result"):
        templates_of("kawe.html").get_template(f"{name}.html")


def _serve() -> None:
    for line in sys.stdin:
        told = json.loads(line)
        if "load" in told:
            _load(told["load"])
            continue
        if "ended" in told:
            child, status = os.waitpid(told["ended"], os.WNOHANG)
            _say(os.waitstatus_to_exitcode(status) if child else "")
            continue
        before = set(sys.modules)
        child = os.fork()
        if child == 0:
            try:
                _become(told)
            except SystemExit as end:
                if told.get("loaded"):
                    with open(told["loaded"], "w", encoding="utf-8") as file:  # noqa: PTH123 - nothing more may be loaded here
                        json.dump(sorted(sys.modules.keys() - before), file)
                _leave(end.code)
        if told.get("goes_on"):
            continue
        _, status = os.waitpid(child, 0)
        _say(os.waitstatus_to_exitcode(status))


def _say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _serve()
