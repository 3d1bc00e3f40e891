"""Lines as wide as the terminal, broken between words."""

import os
import sys
from typing import Final, TextIO

_NARROWEST: Final = 30
_HANGING: Final = "    "
_COMMAND: Final = ": kawe "


def terminal_width(stream: TextIO | None = None) -> int | None:
    """Give the columns of the terminal; None for a pipe, whose lines stay whole.

    The variable COLUMNS gives a pipe a width too. `stream` is standard output.
    """
    has_width = os.environ.get("COLUMNS", "").isdigit()
    stream = stream or sys.stdout
    if not has_width and (stream is None or not stream.isatty()):
        return None
    import shutil  # noqa: PLC0415 (start-up)

    return max(_NARROWEST, shutil.get_terminal_size().columns)


def wrapped(line: str, *, width: int | None) -> list[str]:
    """Break a line between words; what follows is indented.

    A long word, and a command to type, stay whole, so that they can be copied.
    """
    import textwrap  # noqa: PLC0415 (start-up)

    from kawe.cli.output.next_command import in_commands  # noqa: PLC0415 (start-up)
    from kawe_xlsx.cells import inert  # noqa: PLC0415 (start-up)

    # The name of a file may hold what steers a terminal.
    line = inert(in_commands(line))
    if width is None or len(line) <= width:
        return [line]
    start = len(line) - len(line.lstrip(" "))
    said, colon, command = line.rpartition(_COMMAND)
    # A sentence about kawe is no command to type.
    is_command = bool(colon) and not command.endswith(".")
    if is_command:
        line = f"{said}:"
    lines = textwrap.wrap(
        line.strip(),
        width,
        initial_indent=" " * start,
        subsequent_indent=" " * start + _HANGING,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [*lines, f"{_HANGING}{_COMMAND[2:]}{command}"] if is_command else lines
