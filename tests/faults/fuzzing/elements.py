"""Changes to the XML of a workbook that know its elements, for `mutations`.

The text-level changes break XML; these leave it well-formed and make it say
something else: elements gone, doubled, in another order or another place,
attributes exchanged, cells of a kind that they are not, and references that
point at nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Final, TypeAlias
from xml.etree.ElementTree import Element, ParseError, SubElement, tostring

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from faults.fuzzing.values import ADDRESSES, KINDS, VALUES

_Change: TypeAlias = Callable[[Random, Element], str]
_LONGEST: Final = 3_000_000
# Deeper than ElementTree goes; and walking it takes the square of its depth.
_DEEP: Final = re.compile(r"(<[a-zA-Z]+>)\1{500}")
_INDICES: Final = (
    "-1",
    "99999",
    "4294967295",
    "4294967296",
    "1.5",
    "",
    "0x1",
    "9" * 30,
)
_TIMES: Final = (2, 2, 50, 5_000)


def change_elements(chance: Random, text: str) -> tuple[str, str]:
    """Change one thing about the elements of a part.

    Raises:
        ValueError: It is no XML, or there is nothing to change in it.
    """
    if len(text) > _LONGEST or _DEEP.search(text):
        raise ValueError
    try:
        root = defusedxml.ElementTree.fromstring(text.encode("utf-8", "replace"))
    except (ParseError, DefusedXmlException, LookupError) as why:
        raise ValueError from why
    words = chance.choice(_CHANGES)(chance, root)
    try:
        made = tostring(root, encoding="unicode")
    except RecursionError as why:
        # An earlier change has put more elements inside each other than that.
        raise ValueError from why
    if chance.random() < 0.7:
        made = _as_excel_writes(root, made)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{made}', words


def _as_excel_writes(root: Element, made: str) -> str:
    """Leave out the prefix that ElementTree gives to the namespace of the root."""
    space = root.tag.partition("}")[0].lstrip("{")
    for number in range(10):
        prefix = f"ns{number}"
        if f'xmlns:{prefix}="{space}"' in made:
            made = made.replace(f"xmlns:{prefix}=", "xmlns=")
            made = made.replace(f"<{prefix}:", "<")
            return made.replace(f"</{prefix}:", "</")
    return made


def _owners(root: Element) -> Iterator[tuple[Element, Element]]:
    for owner in root.iter():
        for child in owner:
            yield owner, child


def _one(chance: Random, root: Element) -> tuple[Element, Element]:
    pairs = list(_owners(root))
    if not pairs:
        raise ValueError
    return chance.choice(pairs)


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _gone(chance: Random, root: Element) -> str:
    owner, child = _one(chance, root)
    owner.remove(child)
    return f"element {_name(child)} gone"


def _all_gone(chance: Random, root: Element) -> str:
    _, one = _one(chance, root)
    for owner, child in list(_owners(root)):
        if child.tag == one.tag:
            owner.remove(child)
    return f"every element {_name(one)} gone"


def _more(chance: Random, root: Element) -> str:
    owner, child = _one(chance, root)
    times = chance.choice(_TIMES) if len(child) < 10 else 2
    at = list(owner).index(child)
    owner[at:at] = [child] * (times - 1)
    return f"element {_name(child)} {times} times"


def _swap(chance: Random, root: Element) -> str:
    owner, one = _one(chance, root)
    first, second = list(owner).index(one), chance.randrange(len(owner))
    other = owner[second]
    owner[first], owner[second] = other, one
    return f"elements {_name(one)} and {_name(other)} swapped"


def _backwards(chance: Random, root: Element) -> str:
    owner, _ = _one(chance, root)
    owner[:] = list(reversed(owner))
    return f"what is in {_name(owner)} backwards"


def _elsewhere(chance: Random, root: Element) -> str:
    owner, child = _one(chance, root)
    owner.remove(child)
    place = chance.choice(list(root.iter()))
    place.append(child)
    return f"element {_name(child)} moved into {_name(place)}"


def _inside_itself(chance: Random, root: Element) -> str:
    _, child = _one(chance, root)
    copied = Element(child.tag, dict(child.attrib))
    copied[:] = list(child)
    child[:] = [copied]
    return f"element {_name(child)} inside itself"


def _renamed(chance: Random, root: Element) -> str:
    _, one = _one(chance, root)
    _, other = _one(chance, root)
    before, one.tag = _name(one), other.tag
    return f"element {before} called {_name(one)}"


def _attributes_swapped(chance: Random, root: Element) -> str:
    elements = [each for each in root.iter() if each.attrib]
    if not elements:
        raise ValueError
    one, other = chance.choice(elements), chance.choice(elements)
    first, second = chance.choice(list(one.attrib)), chance.choice(list(other.attrib))
    one.attrib[first], other.attrib[second] = (other.attrib[second], one.attrib[first])
    return f"{_name(one)} {first} and {_name(other)} {second} swapped"


def _kinds(chance: Random, root: Element) -> str:
    """Say that cells are of a kind that they are not; one of them, or all."""
    cells = [each for each in root.iter() if _name(each) == "c"]
    if not cells:
        raise ValueError
    kind = chance.choice(KINDS)
    some = cells if chance.random() < 0.3 else [chance.choice(cells)]
    for cell in some:
        cell.set("t", kind)
    return f"{len(some)} cells of kind “{kind}”"


def _indices(chance: Random, root: Element) -> str:
    """Point at shared texts, styles and formats that are not there."""
    names = ("s", "si", "numFmtId", "xfId", "fontId", "sheetId", "count", "id")
    places = [
        (each, name) for each in root.iter() for name in names if name in each.attrib
    ]
    texts = [
        each[-1]
        for each in root.iter()
        if _name(each) == "c" and each.get("t") == "s" and len(each)
    ]
    index = chance.choice(_INDICES)
    if texts and chance.random() < 0.5:
        chance.choice(texts).text = index
        return f"a cell shows shared text {index}"
    if not places:
        raise ValueError
    element, name = chance.choice(places)
    element.set(name, index)
    return f"{_name(element)} {name} {index}"


def _addresses(chance: Random, root: Element) -> str:
    cells = [each for each in root.iter() if _name(each) in {"c", "row"}]
    if not cells:
        raise ValueError
    for cell in chance.sample(cells, min(len(cells), chance.choice((1, 3, 40)))):
        if chance.random() < 0.5:
            cell.attrib.pop("r", None)
        else:
            cell.set("r", chance.choice(ADDRESSES))
    return "addresses lost or changed"


def _targets(chance: Random, root: Element) -> str:
    """Let relations lead to another part, to their own, or out of the workbook."""
    relations = [each for each in root.iter() if "Target" in each.attrib]
    if not relations:
        raise ValueError
    one, other = chance.choice(relations), chance.choice(relations)
    target = chance.choice(
        (
            *(other.get("Target", ""), "workbook.xml", "_rels/workbook.xml.rels"),
            *("../../../../etc/passwd", "file:///etc/passwd", "http://127.0.0.1:9/"),
            *("", "/", ".", "worksheets", "//x/y", "sheet1.xml?x#y", "%2e%2e/x"),
        )
    )
    one.set("Target", target)
    if chance.random() < 0.2:
        one.set("TargetMode", "External")
    if chance.random() < 0.2:
        one.set("Type", other.get("Type", ""))
    return f"relation {one.get('Id')} leads to {target}"


def _filled(chance: Random, root: Element) -> str:
    _, one = _one(chance, root)
    if chance.random() < 0.5:
        one.text = _speakable(chance.choice(VALUES))
        return f"element {_name(one)} says {(one.text or '')[:40]}"
    space = one.tag.rpartition("}")[0] + "}" if "}" in one.tag else ""
    for _ in range(chance.choice((1, 100))):
        SubElement(one, f"{space}{chance.choice(('v', 'f', 'is', 't', 'r', 'c'))}")
    return f"element {_name(one)} has more in it"


def _speakable(text: str) -> str:
    """Leave out what no XML can say."""
    return "".join(each for each in text if each.isprintable())


_CHANGES: Final[tuple[_Change, ...]] = (
    _gone,
    _gone,
    _all_gone,
    _more,
    _swap,
    _backwards,
    _elsewhere,
    _inside_itself,
    _renamed,
    _attributes_swapped,
    _attributes_swapped,
    _kinds,
    _indices,
    _indices,
    _addresses,
    _targets,
    _filled,
)
