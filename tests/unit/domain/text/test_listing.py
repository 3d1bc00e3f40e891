"""Lists that are written without ;."""

import pytest

from kawe.domain.text.texts import BETWEEN_FILES, BETWEEN_NAMES, parts_of

KNOWN = {"Ngāti Toa", "Te Āti Awa", "Rongo and Whaitua", "Te Ao, Te Pō", "a/b"}


def parts(text, between=BETWEEN_NAMES):
    return parts_of(text, between=between, is_known=KNOWN.__contains__)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Ngāti Toa", ["Ngāti Toa"]),
        ("Ngāti Toa, Te Āti Awa", ["Ngāti Toa", "Te Āti Awa"]),
        ("Ngāti Toa/Te Āti Awa", ["Ngāti Toa", "Te Āti Awa"]),
        ("Ngāti Toa and Te Āti Awa", ["Ngāti Toa", "Te Āti Awa"]),
        ("Ngāti Toa me Te Āti Awa", ["Ngāti Toa", "Te Āti Awa"]),
        ("Ngāti Toa & Te Āti Awa,", ["Ngāti Toa", "Te Āti Awa"]),
        ("Rongo and Whaitua and Ngāti Toa", ["Rongo and Whaitua", "Ngāti Toa"]),
        ("Te Ao, Te Pō, a/b", ["Te Ao, Te Pō", "a/b"]),
    ],
)
def test_a_list_of_known_names_is_parted_and_a_known_name_is_not(text, named):
    assert parts(text) == tuple((name, True) for name in named)


def test_what_is_not_known_is_told_apart():
    assert parts("Ngāti Toa, Ngāti Tow / Te Āti Awa") == (
        ("Ngāti Toa", True),
        ("Ngāti Tow", False),
        ("Te Āti Awa", True),
    )
    assert parts("Ngāti Tow") == (("Ngāti Tow", False),)


def test_a_text_of_very_many_parts_stays_whole():
    assert parts(",".join("x" * 100)) == ((",".join("x" * 100), False),)


def test_folders_of_files_are_not_parted():
    assert parts("c/d, a/b", BETWEEN_FILES) == (("c/d", False), ("a/b", True))
