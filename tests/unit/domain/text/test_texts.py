"""What foreign text is allowed to look like."""

import pytest

from kawe.domain.text.texts import clean, fold, fold_name, one_line


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Ōtaki \u00a0 River ", "Ōtaki River"),
        ("O\u0304taki", "Ōtaki"),
        ("\u200ea\u200bb\u2069\ufeff\u00ad", "ab"),
        ("one\r\n two \rthree\u2028four\x0bfive", "one\ntwo\nthree\nfour\nfive"),
        ("a\x00\x1b[31mb\ud800", "a[31mb"),
        ("tab\there", "tab here"),
        ("so \ufdd0next submit\ufdd1all\ufdd2", "so next submitall"),
    ],
)
def test_clean_text_has_one_form_and_nothing_unseen(text, cleaned):
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "Land use consent",
        "LAND_USE_CONSENT",
        " land-use\u00a0 consent ",
        "Lānd use consent",
    ],
)
def test_folded_words_are_equal_however_they_were_typed(text):
    assert fold(text) == "land use consent"


def test_letters_of_other_alphabets_for_show_are_letters():
    assert (fold("\U0001d400ck"), fold_name("\U0001d400ck")) == ("ack", "ack")


def test_an_ampersand_means_and():
    assert fold("Parks & Reserves") == fold("parks and reserves")


def test_folded_names_keep_other_scripts_apart():
    assert fold_name("東京") != fold_name("京都")
    assert fold_name("Ngāti Toa–Rangatira") == "ngati toa rangatira"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ngāti\nToa\t!", "Ngāti Toa !"),
        ("a\x1b]0;title\x07b", "a]0;titleb"),
        ("safe\u202eexe.fdp", "safeexe.fdp"),
        ("zero\u200bwidth", "zerowidth"),
        ("\ud800x", "x"),
    ],
)
def test_a_shown_text_is_one_line_and_inert(text, shown):
    assert one_line(text) == shown


def test_a_long_text_is_cut_at_its_limit():
    assert one_line("x" * 300, limit=10) == "xxxxxxxxx…"
    assert one_line("x" * 10, limit=10) == "x" * 10
