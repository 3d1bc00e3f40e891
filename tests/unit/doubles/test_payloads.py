"""The assertions about outputs find what survived in them."""

import html
import io
import re
import zipfile

import pytest

from doubles.payloads import (
    MARK,
    PAYLOADS,
    active_in,
    assert_csv_is_inert,
    assert_html_is_inert,
    assert_json_is_inert,
    assert_screen_is_inert,
    assert_workbook_is_inert,
)
from kawe_xlsx.cells import inert

_STEERS_PAGES = [each for each in PAYLOADS if re.search("<[a-z!/]", each)]


def test_there_are_forty_payloads_and_each_can_be_found_again():
    assert (len(PAYLOADS) >= 40, len(set(PAYLOADS))) == (True, len(PAYLOADS))
    assert all(MARK in each for each in PAYLOADS)


def test_text_that_was_made_inert_is_no_fault_of_a_page():
    for each in map(html.escape, map(inert, PAYLOADS)):
        assert_html_is_inert(f'<p title="{each}" data-row="{each}">{each}</p>')


@pytest.mark.parametrize("text", _STEERS_PAGES, ids=ascii)
def test_markup_of_a_payload_is_found_in_a_page(text):
    with pytest.raises(AssertionError):
        assert_html_is_inert(f"<p>{text}</p>")


@pytest.mark.parametrize(
    "page",
    [
        f'<a href="java&#10;script:{MARK}()">x</a>',
        f'<a href="//{MARK}.example/">x</a>',
        f'<p title="" onclick="{MARK}()">x</p>',
        f"<script>const name = '{MARK}'</script>",
        f'<script type="application/json">["<b>{MARK}"]</script>',
        f"<p>{MARK}&#27;[2J</p>",
        f'<p style="{MARK}: 1">x</p>',
        f"<!-- {MARK} -->",
        "<p>9359</p>",
    ],
)
def test_what_became_active_is_found_in_a_page(page):
    with pytest.raises(AssertionError):
        assert_html_is_inert(page)


def test_other_outputs_are_refused_for_what_survived_in_them():
    cells = "a,b\r\n"
    for check, data in (
        (assert_csv_is_inert, f"\ufeff{cells}=1,x\r\n"),
        (assert_csv_is_inert, f"\ufeff{cells}x,\uff1d1\r\n"),
        (assert_csv_is_inert, f"\ufeff{cells}x\r\n"),
        (assert_csv_is_inert, f"\ufeff{cells}x,y\n"),
        (assert_csv_is_inert, cells),
        (assert_json_is_inert, '{"a": NaN}'),
        (assert_json_is_inert, '{"a": 1, "a": 2}'),
        (assert_json_is_inert, '{"a": "\u202e"}'),
    ):
        with pytest.raises(AssertionError):
            check(data.encode())
    with pytest.raises(AssertionError):
        assert_screen_is_inert("\x1b[32mgreen\x1b[0m\x1b]0;title\x07")
    assert_screen_is_inert("\x1b[32mgreen\x1b[0m\r\n")
    assert active_in("Ōtāhuhu\n") == []


@pytest.mark.parametrize(
    "part",
    [
        f"<c><f>{MARK}</f></c>",
        f"<c><t>{MARK} _x001B_[2J</t></c>",
        '<Relationship Target="file:///etc" TargetMode="External"/>',
        f"<definedName>{MARK}</definedName>",
    ],
)
def test_what_became_active_is_found_in_a_workbook(part):
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("xl/sheet1.xml", f"<x>{part}</x>")
    with pytest.raises(AssertionError):
        assert_workbook_is_inert(book.getvalue())
