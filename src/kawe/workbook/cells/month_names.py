"""The names of months and days of the week, in English and in Māori.

Both sets of Māori months are in use: those of the lunar calendar, which Te
Taura Whiri i te Reo Māori gives as the standard, and those taken over from
English. Macrons, doubled vowels and hyphens do not tell names apart.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.text.texts import fold

_DOUBLED: Final = re.compile(r"([aeiou])\1")

_MONTHS: Final = (
    ("january", "jan", "kohitātea", "kohi", "hānuere"),
    ("february", "feb", "huitanguru", "hui", "pēpuere"),
    ("march", "mar", "poutūterangi", "pou", "māehe", "poutū-te-rangi"),
    ("april", "apr", "paengawhāwhā", "paenga", "āperira", "aperira"),
    ("may", "haratua", "hara", "mei"),
    ("june", "jun", "pipiri", "pipi", "hune"),
    ("july", "jul", "hōngongoi", "hōngoingoi", "hōngo", "hūrae"),
    ("august", "aug", "hereturikōkā", "here", "ākuhata"),
    ("september", "sep", "sept", "mahuru", "mahu", "hepetema"),
    ("october", "oct", "whiringa-ā-nuku", "oketopa"),
    ("november", "nov", "whiringa-ā-rangi", "nōema", "noema"),
    ("december", "dec", "hakihea", "haki", "tīhema"),
)
_DAYS: Final = (
    ("monday", "mon", "rāhina", "mane"),
    ("tuesday", "tue", "tues", "rātū", "tūrei"),
    ("wednesday", "wed", "rāapa", "wenerei"),
    ("thursday", "thu", "thur", "thurs", "rāpare", "tāite"),
    ("friday", "fri", "rāmere", "paraire"),
    ("saturday", "sat", "rāhoroi", "hātarei"),
    ("sunday", "sun", "rātapu"),
)


def _key(name: str) -> str:
    return _DOUBLED.sub(r"\1", fold(name).replace(" ", ""))


_MONTH_NUMBERS: Final = {
    _key(name): number for number, names in enumerate(_MONTHS, 1) for name in names
}
_DAY_NUMBERS: Final = {
    _key(name): number for number, names in enumerate(_DAYS) for name in names
}


def month_number(name: str) -> int | None:
    """Give 1 to 12 for the name of a month, None for any other word."""
    return _MONTH_NUMBERS.get(_key(name))


def weekday_number(name: str) -> int | None:
    """Give 0 (Monday) to 6 for the name of a day, None for any other word."""
    return _DAY_NUMBERS.get(_key(name))
