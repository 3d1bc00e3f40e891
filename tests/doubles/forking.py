"""A process that has kawe loaded and carries out commands: `python -m`.

Each line on stdin tells of one command, or asks whether one that goes on has ended. A
command whose end is waited for is carried out here, and what it changed in this process
is put back. One that goes on, whose disk fails, or that may be killed is a fork that
becomes the command line, and never comes back. Starting Python and loading everything
is paid for once.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from typing import Any, Final, TextIO

_HEARD: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_NURSERY: Final = "faults.kills.nursery"


def _become(told: dict[str, Any]) -> None:
    """Take on the surroundings of the command, then be it."""
    if told.get("typed") == told["out"]:
        os.setsid()
    os.chdir(told["folder"])
    os.environ.clear()
    os.environ.update(told["environment"])
    # It is asked for where files may lie for a while once only.
    tempfile.tempdir = None
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
    if "kill" in told:
        importlib.import_module(_NURSERY).begin(told)
    from kawe.__main__ import main  # noqa: PLC0415 - where kawe is loaded

    main()


def _writing(handle: int, *, lines: bool) -> TextIO:
    how = 1 if lines else -1
    return open(handle, "w", how, encoding="utf-8", closefd=False)


def _carried_out(told: dict[str, Any]) -> int:
    """Be the command, then this process again; give the exit code."""
    with _put_back():
        try:
            _become(told)
        except SystemExit as end:
            return _code(end)
        except BaseException:  # noqa: BLE001 - as Python ends a program
            sys.excepthook(*sys.exc_info())
            return 1
        return 0


@contextmanager
def _put_back() -> Iterator[None]:
    """Have what a command changes, and what only the end of a process puts back."""
    streams = sys.stdin, sys.stdout, sys.stderr
    with ExitStack() as stack:
        for handle in range(3):
            kept = os.dup(handle)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, handle)
        for name in _HEARD:
            number = getattr(signal, name)
            stack.callback(signal.signal, number, signal.getsignal(number))
        try:
            yield
        finally:
            _wait_for_threads()
            _forget()
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            sys.stdin, sys.stdout, sys.stderr = streams


def _wait_for_threads() -> None:
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()


def _forget() -> None:
    from kawe.cases import companions  # noqa: PLC0415 - where kawe is loaded
    from kawe.cli.output import log  # noqa: PLC0415 - same

    # Each begins with a log of its own and with no secret to leave out, and opens its
    # bucket as its own surroundings say.
    log._secrets.clear()
    companions._bucket.cache_clear()
    for name in ("kawe", "kawe_twin", "asyncio"):
        for handler in list(logging.getLogger(name).handlers):
            logging.getLogger(name).removeHandler(handler)
            handler.close()
    # A keyring chooses its place when it is loaded.
    for name in [each for each in sys.modules if each.startswith("keyring")]:
        del sys.modules[name]
    gc.enable()


def _leave(end: SystemExit) -> None:
    """End as Python does, and leave what is in memory to the kernel.

    To take apart all that was loaded costs more than a short command.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(_code(end))


def _code(end: SystemExit) -> int:
    return end.code if isinstance(end.code, int) else int(end.code is not None)


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


def _serve() -> None:
    for line in sys.stdin:
        told = json.loads(line)
        if "load" in told:
            _load(told["load"])
        elif "ended" in told:
            child, status = os.waitpid(told["ended"], os.WNOHANG)
            _say(os.waitstatus_to_exitcode(status) if child else "")
        elif told.get("goes_on"):
            _fork(told)
        elif "kill" in told:
            _say(importlib.import_module(_NURSERY).have_child(told, _fork))
        elif "disk" in told:
            _, status = os.waitpid(_fork(told), 0)
            _say(os.waitstatus_to_exitcode(status))
        else:
            _say(_carried_out(told))


@cache
def _make_ready(*, is_desk: bool) -> None:
    """Make once what every fork would make again: pages, days off and a coast."""
    from kawe.days import public_holidays  # noqa: PLC0415 - same
    from kawe.desk.rendering import _TEMPLATES  # noqa: PLC0415 - same
    from kawe.html.coastline import coast_path  # noqa: PLC0415 - where kawe is loaded
    from kawe.html.rendering import templates_of  # noqa: PLC0415 - same

    public_holidays()
    coast_path()
    templates = _TEMPLATES if is_desk else templates_of("kawe.html")
    for name in templates.list_templates():
        templates.get_template(name)


def _fork(told: dict[str, Any]) -> int:
    _make_ready(is_desk=told["words"][:1] == ["desk"])
    # What is here already is nobody's rubbish: looking through it would copy it into
    # every child.
    gc.freeze()
    child = os.fork()
    if child == 0:
        try:
            _become(told)
        except SystemExit as end:
            _leave(end)
    return child


def _say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _serve()
