import hashlib
import os
import unicodedata
from pathlib import Path

import pytest

from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import CellRef, Finding, Severity
from kawe.domain.text.next_steps import Given, Next
from kawe.files.attachments import FolderAttachments
from kawe.ports import Attachments
from kawe.workbook.reading.alike import RapidfuzzSuggester
from kawe_contract.limits import UPLOAD_MAX_BYTES

WHERE = CellRef(sheet="Projects", row=7, column=27)
PDF = b"%PDF-1.7\nplan"

posix = pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


def put(root: Path, name: str, content: bytes = PDF) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def find(root: Path, *names: str, **options):
    attachments: Attachments = FolderAttachments(
        root, suggester=RapidfuzzSuggester(), **options
    )
    return attachments.find(names, where=WHERE, heading="Files")


def names_found(root: Path, *names: str, **options) -> list[str]:
    found, findings = find(root, *names, **options)
    assert findings == ()
    return [each.path.relative_to(root.resolve()).as_posix() for each in found]


def agreed(root: Path, *names: str) -> list[str]:
    found, findings = find(root, *names, accepts_patterns=True)
    assert {each.rule for each in findings} == {"file-pattern"}
    return [each.path.relative_to(root.resolve()).as_posix() for each in found]


def only_finding(root: Path, *names: str) -> Finding:
    found, (finding,) = find(root, *names)
    assert found == ()
    return finding


def test_a_file_is_measured_hashed_and_typed(root):
    path = put(root, "plans/site plan.pdf")

    assert find(root, "plans/site plan.pdf") == (
        (
            Attachment(
                path=path.resolve(),
                name="site plan.pdf",
                mime_type="application/pdf",
                size_bytes=len(PDF),
                sha256=hashlib.sha256(PDF).hexdigest(),
            ),
        ),
        (),
    )


def test_a_missing_file_is_told_with_the_names_that_are_near(root):
    put(root, "plans/site-plan.pdf")

    assert find(root, "site plan.pdf") == (
        (),
        (
            Finding(
                where=WHERE,
                severity=Severity.ERROR,
                rule="file-missing",
                heading="Files",
                value="site plan.pdf",
                message=f"There is no file “site plan.pdf” in {root}.",
                advice="Did you mean “plans/site-plan.pdf”?",
            ),
        ),
    )


@pytest.mark.parametrize(
    ("there", "name", "advice"),
    [
        *(
            (["yes and no.txt"], name, "Check the name, or put the file there.")
            for name in ("site plan.pdf", "Y", "no")
        ),
        (["site plan.pdf"], "site plan", "Did you mean “site plan.pdf”?"),
        # A part of a name comes before what is spelt alike.
        (
            ["RD-501 drawings.pdf", "RD-502.pdf"],
            "RD-501",
            "Did you mean “RD-501 drawings.pdf”?",
        ),
    ],
)
def test_a_missing_file_is_told_with_the_nearest_name_or_what_to_do(
    root, there, name, *, advice
):
    for each in there:
        put(root, each)
    assert only_finding(root, name).advice == advice


def test_case_does_not_count_when_only_one_file_fits(root):
    put(root, "Plans/Site Plan.PDF")

    assert names_found(root, "plans/site plan.pdf") == ["Plans/Site Plan.PDF"]


def test_the_exact_name_wins_over_one_that_differs_in_case_or_none_is_guessed(root):
    for name in ("plan.pdf", "PLAN.pdf", "Map.pdf", "MAP.pdf"):
        put(root, name)
    if len(list(root.iterdir())) < 4:
        pytest.skip("this disk does not tell case apart")

    finding = only_finding(root, "map.pdf")

    assert names_found(root, "plan.pdf") == ["plan.pdf"]
    assert (finding.rule, finding.message) == (
        "file-ambiguous",
        "“map.pdf” could be more than one file: “MAP.pdf” and “Map.pdf”.",
    )


def test_macrons_are_found_however_they_are_composed(root):
    put(root, unicodedata.normalize("NFD", "Tūhoe kōrero.pdf"))

    (attachment,), findings = find(root, "Tūhoe kōrero.pdf")

    assert findings == ()
    assert attachment.name == "Tūhoe kōrero.pdf"


def test_a_pattern_means_every_file_that_fits(root):
    for name in ("b.jpg", "a.JPG", "c.png", "deep/d.jpg"):
        put(root, name, b"\xff\xd8\xff")

    assert names_found(root, "*.jpg") == ["a.JPG", "b.jpg"]
    assert names_found(root, "*/*.jpg") == ["deep/d.jpg"]
    assert agreed(root, "**/*.jpg") == ["a.JPG", "b.jpg", "deep/d.jpg"]
    assert agreed(root, "deep/**") == ["deep/d.jpg"]


TABLES = [
    *("others.xlsx", "others.XLSM", "old.xls", "others.ods", "others.csv"),
    *("plan.json", "others.result.json"),
]
KEYS = [
    *("id_rsa", "ID_ED25519", "id_rsa.old", "server.pem", "tls.key", "safe.kdbx"),
    *("putty.ppk", "cert.pfx", "cert.p12", "prod.env", "kawe.toml", "live.journal"),
]


LEFT_BEHIND = [".DS_Store", "~$plan.docx", "Thumbs.db", ".git/config"]


@pytest.mark.parametrize("others", [[*TABLES, *KEYS], LEFT_BEHIND])
def test_a_pattern_means_no_table_or_key_nor_what_programs_left_behind(root, others):
    for name in (*others, "plan.pdf"):
        put(root, name)

    assert names_found(root, "*") == ["plan.pdf"]
    assert agreed(root, "**") == agreed(root, "**/*") == ["plan.pdf"]


def test_a_pattern_never_means_the_workbook_itself(root):
    workbook = put(root, "June.xlsx", b"PK\x03\x04")
    put(root, "plan.pdf")

    assert names_found(root, "*", excluding=[workbook]) == ["plan.pdf"]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_goes_by_its_own_name(root, name):
    put(root, name)

    found, _ = find(root, name)
    assert [each.name for each in found] == [name]


@pytest.mark.parametrize("name", KEYS)
def test_what_looks_like_a_key_is_not_attached_by_name_either(root, name):
    put(root, name)

    finding = only_finding(root, name)
    assert (finding.rule, finding.severity, finding.message) == (
        "file-secret",
        Severity.ERROR,
        (
            f"“{name}” is hidden, or is called like a key, a store of passwords or a "
            "file of kawe's own: such a file is never attached."
        ),
    )


@pytest.mark.parametrize(
    "name", [".ssh/id_rsa", ".profile", "plans/.git/config", ".*", ".ssh/*", "./.env"]
)
def test_what_is_hidden_is_not_attached_by_name_either(root, name):
    for each in (".ssh/id_rsa", ".profile", "plans/.git/config", ".env"):
        put(root, each)

    finding = only_finding(root, name)
    assert (finding.rule, "is hidden" in finding.message) == ("file-outside", True)


@posix
@pytest.mark.parametrize("to", [".ssh/notes.pdf", "server.pem"])
@pytest.mark.parametrize("name", ["plan.pdf", "*.pdf"])
def test_a_link_to_what_is_hidden_or_a_key_is_not_followed(root, to, name):
    put(root, to)
    (root / "plan.pdf").symlink_to(root / to)

    found, findings = find(root, name)
    assert (found, len(findings)) == ((), 1)


@pytest.mark.parametrize(
    ("name", "number"), [("*.jpg", 11), ("**/*.jpg", 1), ("photos/**", 4)]
)
def test_a_pattern_that_means_much_needs_a_word(root, name, number):
    for n in range(number):
        put(root, f"photos/{n}.jpg" if "**" in name else f"{n}.jpg", b"\xff\xd8\xff")

    finding = only_finding(root, name)
    found, (warning,) = find(root, name, accepts_patterns=True)
    means = f"“{name}” means {number} file{'' if number == 1 else 's'}: “"
    assert (finding.rule, finding.severity, finding.message[: len(means)]) == (
        "file-pattern",
        Severity.ERROR,
        means,
    )
    assert f"{Given.ACCEPT_PATTERNS}" in finding.advice
    assert (len(found), warning.severity, warning.message) == (
        number,
        Severity.WARNING,
        finding.message,
    )


def test_ten_files_in_a_folder_need_no_word(root):
    for n in range(10):
        put(root, f"{n}.jpg", b"\xff\xd8\xff")

    assert len(names_found(root, "*.jpg")) == 10


def test_a_file_named_twice_is_there_once(root):
    put(root, "plan.pdf")

    assert names_found(root, "plan.pdf", "*.pdf", "PLAN.pdf") == ["plan.pdf"]


def test_what_is_wrong_with_one_name_does_not_lose_the_others(root):
    put(root, "plan.pdf")

    found, findings = find(root, "gone.txt", "plan.pdf", "../x")

    assert [each.name for each in found] == ["plan.pdf"]
    assert [each.rule for each in findings] == ["file-missing", "file-outside"]


def very_many(root):
    for number in range(101):
        put(root, f"{number}.pdf")


def too_large(root):
    os.truncate(put(root, "plan.pdf"), UPLOAD_MAX_BYTES + 1)


@pytest.mark.parametrize(
    ("lay", "name", "rule", "message"),
    [
        (lambda at: put(at, "plan.pdf", b""), "plan.pdf", "file-empty", ""),
        # It is told without being read.
        (
            too_large,
            "plan.pdf",
            "file-too-large",
            "“plan.pdf” has 100.1 MB; 100 MB is the most.",
        ),
        (
            lambda at: put(at, "plans/a.pdf"),
            "plans",
            "file-is-folder",
            "“plans” is a folder.",
        ),
        (
            lambda _: None,
            "*.jpg",
            "file-missing",
            "No file in {root} is called like “*.jpg”.",
        ),
        (very_many, "*.pdf", "file-too-many", ""),
        (lambda at: at.rmdir(), "plan.pdf", "file-missing", ""),
        pytest.param(
            lambda at: (at / "plan.pdf").symlink_to("gone"),
            "plan.pdf",
            "file-unreadable",
            "",
            marks=posix,
        ),
        pytest.param(
            lambda at: (at / "plan.pdf").symlink_to(put(at.parent, "secret.txt")),
            "plan.pdf",
            "file-outside",
            "“plan.pdf” is a link that leads out of the files folder.",
            marks=posix,
        ),
        # It is not waited for.
        pytest.param(
            lambda at: os.mkfifo(at / "plan.pdf"),
            "plan.pdf",
            "file-not-a-file",
            "",
            marks=posix,
        ),
    ],
    ids=[
        *("empty", "over the limit", "a folder", "nothing fits", "very many"),
        *("no root", "a link that leads nowhere", "a link that leads out", "a pipe"),
    ],
)
def test_what_cannot_be_attached_is_told(root, lay, name, *, rule, message):
    lay(root)
    finding = only_finding(root, name)
    assert finding.rule == rule
    assert finding.message == (message.format(root=root) or finding.message)


def test_a_saved_error_page_under_the_name_of_a_pdf_is_a_warning(root):
    put(root, "plan.pdf", b"<html>Please log in</html>")

    (attachment,), (finding,) = find(root, "plan.pdf")

    assert attachment.mime_type == "text/plain"
    assert (finding.severity, finding.rule) == (Severity.WARNING, "file-not-as-named")


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../secret.txt", r"..\secret.txt", "x:y", "CON", "~/../../etc/x"],
)
def test_nothing_outside_the_root_is_found(root, name):
    put(root.parent, "secret.txt", b"secret")

    assert only_finding(root, name).rule == "file-outside"


def test_two_files_with_a_slash_between_them_are_told_how_to_be_named(root):
    found = only_finding(root, "plan.pdf / map.pdf")
    assert "ends in a space" in found.message
    assert found.advice.endswith("put ; between several.")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        (r"S:\Projects\Ōmāpere\site.pdf", "Projects/Ōmāpere/site.pdf"),
        (r"\\server\plans\site.pdf", "server/plans/site.pdf"),
        ("https://a.nz/:b:/r/%C5%8C%20x/site.pdf?web=1", "a.nz/b/r/Ō x/site.pdf"),
    ],
)
def test_a_place_elsewhere_means_its_copy_in_the_same_folders_alone(root, name, place):
    put(root, "site.pdf")
    put(root, "Projects/other.pdf")
    assert only_finding(root, name).rule == "file-outside"
    assert only_finding(root, r"S:\Projects\*.pdf").rule == "file-outside"
    put(root, place)

    assert names_found(root, name) == [place]


@posix
def test_a_link_inside_the_root_is_followed(root):
    put(root, "store/blob", PDF)
    (root / "plan.pdf").symlink_to("store/blob")

    (attachment,), findings = find(root, "plan.pdf")

    assert findings == ()
    assert (attachment.name, attachment.mime_type) == ("plan.pdf", "application/pdf")


@posix
@pytest.mark.parametrize("name", ["out/secret.txt", "out/*", "*/secret.txt", "**/s*"])
def test_a_linked_folder_that_leads_out_is_not_entered(root, name):
    put(root.parent, "elsewhere/secret.txt", b"secret")
    (root / "out").symlink_to(root.parent / "elsewhere")

    assert only_finding(root, name).rule == "file-missing"


@posix
def test_links_in_a_circle_end(root):
    (root / "again").symlink_to(root)
    put(root, "plan.pdf")

    assert agreed(root, "**/*.pdf") == ["plan.pdf"]


@posix
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all"
)
def test_a_file_that_may_not_be_read_is_told(root):
    put(root, "plan.pdf").chmod(0)

    assert only_finding(root, "plan.pdf").rule == "file-unreadable"


def test_a_file_is_read_once_until_it_changes(root):
    path = put(root, "plan.pdf")
    attachments = FolderAttachments(root, suggester=RapidfuzzSuggester())

    def sha256() -> str:
        (found,), _ = attachments.find(["plan.pdf"], where=WHERE, heading="Files")
        return found.sha256

    first = sha256()
    stamp = path.stat().st_mtime_ns
    path.write_bytes(PDF[::-1])
    os.utime(path, ns=(stamp, stamp))
    unseen = sha256()
    os.utime(path, ns=(stamp, stamp + 1))

    # The same size and time stand for the same bytes, within one run.
    assert unseen == first
    assert sha256() == hashlib.sha256(PDF[::-1]).hexdigest()


@posix
def test_a_hostile_name_on_the_disk_is_shown_and_sent_disarmed(root):
    put(root, "a\u202egpj.\x1b[31m\n.pdf")

    (attachment,), findings = find(root, "*.pdf")

    assert findings == ()
    assert attachment.name == "agpj.[31m .pdf"


def lying(root: Path, *names: str):
    """Look for files by name; say where those that were missed lie."""
    attachments = FolderAttachments(root, suggester=RapidfuzzSuggester())
    attachments.find(names, where=WHERE, heading="Files")
    return attachments.lie_together()


def test_missing_files_that_one_folder_has_are_said_to_lie_there(root, monkeypatch):
    monkeypatch.chdir(root.parent)
    for name in ("a.pdf", "photos/b.jpg", "c.pdf"):
        put(root, f"site docs/{name}")
    assert lying(root, "a.pdf", "photos/b.jpg", "*.pdf") == (
        "All 3 files that are missing lie in site docs.",
        f"{Next.ADD_FILES('files/site docs')}.",
    )


def test_a_folder_elsewhere_is_named_in_full(root, tmp_path, monkeypatch):
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")
    put(root, "docs/a.pdf")
    put(root, "docs/b.pdf")
    assert lying(root, "a.pdf", "b.pdf") == (
        "All 2 files that are missing lie in docs.",
        f"{Next.ADD_FILES(root / 'docs')}.",
    )


def test_a_folder_is_not_named_alone_where_other_files_lie_beside_it(root):
    for name in ("docs/a.pdf", "docs/b.pdf", "own.pdf"):
        put(root, name)
    assert lying(root, "own.pdf", "a.pdf", "b.pdf") == (
        "All 2 files that are missing lie in docs.",
        "Move them beside the others, or write docs/ before each.",
    )


@pytest.mark.parametrize(
    "names",
    [
        ("a.pdf",),
        ("a.pdf", "nowhere.pdf"),
        ("twice.pdf", "also.pdf"),
        ("*.gif", "*.pdf"),
        ("a.pdf", "*/*/*.gif"),
    ],
)
def test_files_that_no_one_folder_has_are_said_one_by_one(root, names):
    for name in ("docs/a.pdf", "docs/twice.pdf", "docs/also.pdf"):
        put(root, name)
        put(root, name.replace("docs", "old") if "a.pdf" not in name else name)
    assert lying(root, *names) is None


def test_files_with_commas_between_are_read_where_each_is_there(root):
    put(root, "a, b.pdf")
    put(root, "plans/c.pdf")

    found, findings = find(root, "a, b.pdf, plans/c.pdf")

    assert [each.name for each in found] == ["a, b.pdf", "c.pdf"]
    assert [(each.severity, each.message) for each in findings] == [
        (Severity.NOTE, "Read as 2 files: a, b.pdf; plans/c.pdf.")
    ]


def test_of_files_with_commas_between_the_missing_one_is_named(root):
    put(root, "a.pdf")

    finding = only_finding(root, "a.pdf, gone.pdf")

    assert (finding.rule, finding.advice) == (
        "file-missing",
        (
            "If it names several files, put ; between them. Not there: “gone.pdf”. "
            "Check the names, or put the files there."
        ),
    )
