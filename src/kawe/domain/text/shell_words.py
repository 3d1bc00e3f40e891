"""Words of a command line, quoted for the shell of this system."""

from __future__ import annotations

import re
import shlex
import unicodedata
from typing import Final

from kawe.domain.text.texts import one_line
from kawe.system import is_windows

# PowerShell also parses commas and @.
_PLAIN_ON_WINDOWS: Final = re.compile(r"[\w:./\\=+-]+")
# Controls, marks that hide or turn text, halves of pairs, line ends of Unicode.
_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def quoted(word: str) -> str:
    """Quote a word for a POSIX shell, or for both cmd and PowerShell.

    A word that a terminal cannot safely show is cleaned, and names no file any more.
    """
    if any(unicodedata.category(each) in _UNSAFE for each in word):
        word = one_line(word)
    if not is_windows():
        return shlex.quote(word)
    if _PLAIN_ON_WINDOWS.fullmatch(word):
        return word
    # A backslash before the closing quotation mark would escape it.
    ends = "\\" if word.endswith("\\") else ""
    return f'"{word}{ends}"'
