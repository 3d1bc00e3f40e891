"""Words as a shell reads them back."""

import re
import shlex
import unicodedata
from collections.abc import Sequence
from typing import Final

from kawe import system
from kawe.domain.text.texts import one_line

# PowerShell also parses commas and @.
_PLAIN_ON_WINDOWS: Final = re.compile(r"[\w:./\\=+-]+")
# Controls, marks that hide or turn text, halves of pairs, line ends of Unicode.
_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def quoted(word: str, *, is_windows: bool | None = None) -> str:
    """Quote a word for a POSIX shell, or for both cmd and PowerShell.

    Where it is not said which, it is for the system that kawe runs on. A word that a
    terminal cannot safely show is cleaned, and names no file any more.
    """
    if any(unicodedata.category(each) in _UNSAFE for each in word):
        word = one_line(word)
    if not (system.is_windows() if is_windows is None else is_windows):
        return shlex.quote(word)
    if _PLAIN_ON_WINDOWS.fullmatch(word):
        return word
    # A backslash before the closing quotation mark would escape it.
    ends = "\\" if word.endswith("\\") else ""
    return f'"{word}{ends}"'


def command_line(words: Sequence[str], *, is_windows: bool, is_cmd: bool) -> str:
    """Quote a program and its arguments for a POSIX shell, cmd or PowerShell."""
    line = " ".join(quoted(word, is_windows=is_windows) for word in words)
    # PowerShell takes a first word in quotation marks for a text.
    return f"& {line}" if line.startswith('"') and is_windows and not is_cmd else line
