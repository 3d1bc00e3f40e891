"""Removes the key from answers, in every spelling of JSON and three encodings.

The service's messages go into journal, result and output.
"""

from __future__ import annotations

import re
from typing import Final

_INSTEAD: Final = "[key]"
_WIDE: Final = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


class Redactor:
    """Removes one key."""

    def __init__(self, key: str) -> None:
        self._plain = key.encode()
        # Slow: used only for answers with escapes.
        self._escaped = re.compile("".join(map(_either, key)).encode())
        self._wide = {form: key.encode(form) for form in _WIDE}

    def without_key(self, body: bytes) -> bytes:
        """Give a body without the key; the same object where it has none."""
        if self._plain in body:
            body = body.replace(self._plain, _INSTEAD.encode())
        if b"\\" in body:
            body = self._escaped.sub(_INSTEAD.encode(), body)
        if b"\0" in body:
            for form, spelt in self._wide.items():
                body = body.replace(spelt, _INSTEAD.encode(form))
        return body


def _either(letter: str) -> str:
    """Match one letter of a JSON string, as itself or escaped."""
    digits = "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit
        for digit in f"{ord(letter):04x}"
    )
    ways = [re.escape(letter), rf"\\u{digits}"]
    if letter in '"\\/':
        ways.append(rf"\\{re.escape(letter)}")
    return f"(?:{'|'.join(ways)})"
