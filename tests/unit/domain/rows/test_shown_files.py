"""What is said of files before they are sent."""

from pathlib import Path

from kawe.domain.rows.shown_files import ShownFile, file_lines, files_below, shown_files
from kawe.domain.sheet.content import Attachment
from kawe.domain.text.next_steps import Given

ROOT = Path("/work/files")


def attachment(path):
    return Attachment(
        path=Path(path), name="x.pdf", mime_type="x", size_bytes=1200, sha256="s"
    )


def test_a_file_of_several_rows_is_shown_once_with_its_place_and_rows():
    files = [
        (7, attachment("/work/files/plans/b.pdf")),
        (4, attachment("/work/files/a.pdf")),
        (9, attachment("/work/files/plans/b.pdf")),
    ]
    assert files_below(ROOT, files) == (
        ShownFile(path="a.pdf", size_bytes=1200, rows=(4,)),
        ShownFile(path="plans/b.pdf", size_bytes=1200, rows=(7, 9)),
    )


def test_a_file_that_lies_elsewhere_by_now_is_shown_by_its_name():
    (shown,) = files_below(ROOT, [(4, attachment("/other/a.pdf"))])
    assert shown.path == "a.pdf"


def test_few_files_are_named_with_size_and_rows():
    files = shown_files(
        [(4, "a\u202e.pdf", 2_500_000), *((n, "b.pdf", 1) for n in range(9))]
    )
    assert list(file_lines(files)) == [
        "        a.pdf (2.5 MB, row 4)",
        "        b.pdf (1 kB, rows 0, 1, 2 and 6 more)",
    ]


def test_of_many_files_the_first_are_named_and_the_others_counted_by_folder():
    files = shown_files(
        [
            *((n, f"a{n:03}.pdf", 1) for n in range(13)),
            *((n, f"plans/{n}.pdf", 1) for n in range(3)),
            *((n, f"z{n}/x.pdf", 1) for n in range(6)),
        ]
    )
    lines = list(file_lines(files))
    assert (len(lines), lines[-1].strip()) == (
        6,
        (
            "… 8 more in the files folder, 3 more in plans, 1 more in z0, 1 more in "
            f"z1, 1 more in z2 and 3 more in other folders; "
            f"{Given.VERBOSE} names them all."
        ),
    )


def test_a_file_of_several_rows_is_shown_once_with_them():
    (shown,) = shown_files([(4, "plans/a.pdf", 1200), (9, "plans/a.pdf", 1200)])
    assert shown == ShownFile(path="plans/a.pdf", size_bytes=1200, rows=(4, 9))
