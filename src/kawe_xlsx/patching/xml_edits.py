"""Edits the XML of a part: every byte that no edit names stays as it is.

A parser that writes its tree again would lose prefixes that an attribute names, and
with them what newer programs keep in a workbook.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
    rb"""|<(/?)([\w.-]+:)?([\w.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(/?)>""",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(rb"""\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TAG: Final = re.compile(rb"<(/?)(?=[A-Za-z])")
_ENCODING: Final = re.compile(rb"""^[^<]*<\?xml[^>]*encoding=["']([\w-]+)["']""")
_READ: Final = frozenset({b"utf-8", b"utf8", b"us-ascii", b"ascii"})


class Unpatchable(Exception):
    """A workbook cannot be given back; the text is the reason, for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """Where an element stands in a text; `name` has no prefix."""

    name: str
    start: int
    inner: int
    inner_end: int
    end: int
    at: int
    """Where its attributes stand."""
    attributes: bytes
    is_empty: bool

    def get(self, name: str) -> str | None:
        return values_of(self.attributes).get(name)


def values_of(attributes: bytes) -> dict[str, str]:
    """Read attributes; their names keep their prefixes."""
    return {
        name.decode(): html.unescape((double or single).decode())
        for name, double, single in _ATTRIBUTE.findall(attributes)
    }


def with_attribute(attributes: bytes, name: str, value: str | None) -> bytes:
    """Set an attribute to an escaped value where it stands; None takes it away."""
    found = re.search(
        rb"""\s%b\s*=\s*(?:"[^"]*"|'[^']*')""" % name.encode(), attributes
    )
    new = b"" if value is None else b' %b="%b"' % (name.encode(), value.encode())
    if found is None:
        return attributes.rstrip() + new
    return attributes[: found.start()] + new + attributes[found.end() :]


def elements(text: bytes, start: int = 0, end: int | None = None) -> Iterator[Element]:
    """Give the elements of a region that are in no other one; its tags must match."""
    depth, opened = 0, None
    for token in _TOKEN.finditer(text, start, len(text) if end is None else end):
        closes, _, name, _, empty = token.groups()
        if name is None:
            continue
        if closes:
            depth -= 1
            if depth == 0 and opened is not None:
                yield _element(opened, inner_end=token.start(), end=token.end())
        elif empty:
            if depth == 0:
                yield _element(token, inner_end=token.end(), end=token.end())
        else:
            opened = token if depth == 0 else opened
            depth += 1
    if depth != 0:
        raise Unpatchable("its XML is not as Excel writes it")


def within(text: bytes, element: Element | None) -> list[Element]:
    """Give the elements of an element that are in no other one in it."""
    return [*elements(text, element.inner, element.inner_end)] if element else []


def _element(opened: re.Match[bytes], *, inner_end: int, end: int) -> Element:
    return Element(
        name=opened[3].decode(),
        start=opened.start(),
        inner=opened.end(),
        inner_end=inner_end,
        end=end,
        at=opened.start(4),
        attributes=opened[4],
        is_empty=bool(opened[5]),
    )


class Edits:
    """The edits of one text, applied together; `prefix` is that of its elements."""

    def __init__(self, text: bytes, *, prefix: bytes = b"") -> None:
        self.text = text
        self.prefix = prefix
        self._edits: list[tuple[int, int, bytes]] = []

    def drop(self, element: Element) -> None:
        self._edits.append((element.start, element.end, b""))

    def rewrite(self, element: Element, text: bytes) -> None:
        self._edits.append((element.inner, element.inner_end, text))

    def insert(self, at: int, new: bytes) -> None:
        self._edits.append((at, at, prefixed(new, self.prefix)))

    def set(self, element: Element, **values: str | None) -> None:
        """Set attributes of an element, escaped; None takes one away."""
        attributes = element.attributes
        for name, value in values.items():
            attributes = with_attribute(attributes, name, value)
        end = element.at + len(element.attributes)
        self._edits.append((element.at, end, attributes))

    def fill(self, element: Element, new: bytes, *, count: int | None = None) -> None:
        """Write something more as the last content of an element.

        `count` is how many elements it has then, where it says so.
        """
        if count is not None and element.get("count") is not None:
            self.set(element, count=str(count))
        if element.is_empty:
            name = self.text[element.start + 1 : element.at]
            whole = b">%b</%b>" % (prefixed(new, self.prefix), name)
            end = element.at + len(element.attributes)
            self._edits.append((end, element.end, whole))
        else:
            self.insert(element.inner_end, new)

    def done(self) -> bytes:
        """Give the text with all edits."""
        pieces, at = [], 0
        for start, end, new in sorted(self._edits, key=lambda edit: edit[:2]):
            pieces += [self.text[at:start], new]
            at = end
        return b"".join((*pieces, self.text[at:]))


class Part(Edits):
    """A whole part: its root and the elements in it."""

    def __init__(self, text: bytes) -> None:
        found = _ENCODING.match(text[:200])
        if found and found[1].lower() not in _READ:
            raise Unpatchable("its parts are not in UTF-8")
        if (root := next(elements(text), None)) is None:
            raise Unpatchable("its XML is not as Excel writes it")
        # With its colon.
        found = re.match(rb"<([\w.-]+:)", text[root.start : root.inner])
        super().__init__(text, prefix=found[1] if found else b"")
        self.root, self.children = root, within(text, root)

    def child(self, name: str) -> Element | None:
        return next((each for each in self.children if each.name == name), None)

    def within(self, element: Element | None) -> list[Element]:
        return within(self.text, element)


def prefixed(new: bytes, prefix: bytes) -> bytes:
    """Give every tag of `new`, which has none, a prefix."""
    return _TAG.sub(rb"<\1" + prefix, new) if prefix and new else new


def unprefixed(text: bytes, prefix: bytes) -> bytes:
    return re.sub(rb"<(/?)%b" % re.escape(prefix), rb"<\1", text) if prefix else text
