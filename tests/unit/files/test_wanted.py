import unicodedata

import pytest

from kawe.domain.sheet.findings import Remark
from kawe.files.folders import Wanted, matches, read_name


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("plan.pdf", ("plan.pdf",)),
        (" plan.pdf ", ("plan.pdf",)),
        ("plans/site plan.pdf", ("plans", "site plan.pdf")),
        (r"plans\site plan.pdf", ("plans", "site plan.pdf")),
        ("./plans//plan.pdf", ("plans", "plan.pdf")),
        ("plan [final] (2).pdf", ("plan [final] (2).pdf",)),
        ("Tū whakarō.pdf", ("Tū whakarō.pdf",)),
        (unicodedata.normalize("NFD", "Tū.pdf"), ("Tū.pdf",)),
        ("*.jpg", ("*.jpg",)),
        ("**/*.pdf", ("**", "*.pdf")),
        ("RC-2027-0142/*", ("RC-2027-0142", "*")),
        ("~notes.txt", ("~notes.txt",)),
        ("console.txt", ("console.txt",)),
    ],
)
def test_a_name_below_the_root_is_taken_in_parts(typed, parts):
    assert read_name(typed) == Wanted(parts=parts)


@pytest.mark.parametrize(
    "typed",
    [
        "/etc/passwd",
        r"\\server\share\plan.pdf",
        "//server/share/plan.pdf",
        r"\\?\C:\plan.pdf",
        r"\\.\pipe\x",
        r"C:\plans\plan.pdf",
        "c:plan.pdf",
        "../plan.pdf",
        "plans/../../plan.pdf",
        r"plans\..\..\plan.pdf",
        "plan.pdf:hidden",
        "plans/plan.pdf::$DATA",
        "file:///etc/passwd",
        "CON",
        "nul.txt",
        "plans/COM1",
        "LPT9.pdf",
        "COM¹.txt",
        "plans/",
        "",
        ".",
        "/",
        "a<b>.pdf",
        'a"b.pdf',
        "a|b.pdf",
        "plan\x00.pdf\x1f/..",
        "plans./plan.pdf",
        "ā" * 200 + ".pdf",
        "..",
    ],
)
def test_what_could_lead_elsewhere_on_any_system_is_not_followed(typed):
    read = read_name(typed)
    # Of a place elsewhere, a copy below the root may be meant.
    found = read.away if isinstance(read, Wanted) else read

    assert isinstance(found, Remark)
    assert isinstance(read, Remark) or ".." not in read.parts
    assert found.message.endswith(".")
    assert found.advice.endswith(".")


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("*.pdf", "Plan.PDF", True),
        ("*.pdf", "plan.pdf.exe", False),
        ("plan?.pdf", "plan1.pdf", True),
        ("plan?.pdf", "plan10.pdf", False),
        ("Tū*", unicodedata.normalize("NFD", "Tūhoe.pdf"), True),
        ("a+b*.pdf", "a+b c.pdf", True),
        ("a+b*.pdf", "aab.pdf", False),
        ("*", "a\nb", True),
        ("*a" * 15, "a" * 40 + "b", False),
        ("**.pdf", "x.pdf", True),
    ],
)
def test_a_pattern_fits_what_a_person_expects(pattern, name, fits):
    assert matches(pattern, name) is fits
