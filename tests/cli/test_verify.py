"""What was saved is proven: by kawe, by sha256sum, and by another's program."""

import hashlib
import os
import subprocess
import unicodedata

import bagit
import pytest
from openpyxl import load_workbook

from doubles.command import at_a_twin, csv_row, write_csv

OTHER = b"%PDF-1.4 something else %%EOF"

UNLISTED = "the service does not list this receipt any more; what was saved stays"


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """Give a person who has sent three projects."""
    with at_a_twin(tmp_path_factory.mktemp("papers"), tokens=9) as person:
        yield _sent(person)


def _sent(person):
    rows = [csv_row(number) for number in (1, 2)]
    rows.append(csv_row(3, name="100% of the =bank"))
    write_csv(person.folder / "monthly.csv", rows)
    sent = person.run("submit", "monthly.csv", "--yes", "3", "--no-input")
    assert sent.returncode == 0
    return person


def _sha256sum(folder, *names):
    words = ["sha256sum", "-c", "--strict", *names]
    done = subprocess.run(words, check=False, cwd=folder, capture_output=True)
    return done.returncode


def _spoil(papers):
    """Flip a byte, remove a file, add one; give the three names."""
    flipped, removed, _ = sorted(each.name for each in papers.glob("*.pdf"))
    data = bytearray((papers / flipped).read_bytes())
    data[100] ^= 1
    (papers / flipped).write_bytes(data)
    (papers / removed).unlink()
    (papers / "added\x1b[31m\n.pdf").write_bytes(OTHER)
    return flipped, removed, "added[31m .pdf"


def test_a_folder_is_proven_and_what_was_done_to_it_is_named(person):
    folder = person.folder / "papers"
    person.run("export", "receipts", "-o", "papers")
    whole = person.run("export", "verify", "papers")
    checked = _sha256sum(folder, "manifest-sha256.txt")
    flipped, removed, added = _spoil(folder)
    (folder / "manifest.csv").write_bytes(b"")
    found = person.run("export", "verify", "papers", "-o", "found.xlsx")
    assert (whole.returncode, whole.stdout, checked) == (
        0,
        "The folder papers is as it was saved: 6 files.\n",
        0,
    )
    assert (found.returncode, found.stdout) == (
        9,
        (
            "The folder papers is not as it was saved: 4 files are not right.\n"
            "2 files ALTERED since they were saved:\n"
            f"    {flipped}: has other bytes than were saved\n"
            "    manifest.csv: has other bytes than were saved\n"
            "1 file missing:\n"
            f"    {removed}: is not there\n"
            "1 extra file:\n"
            f"    {added}: is in no list\n"
        ),
    )
    (sheet,) = load_workbook(person.folder / "found.xlsx")
    assert [row[:2] for row in sheet.iter_rows(values_only=True)] == [
        ("File", "Trouble"),
        (flipped, "altered"),
        ("manifest.csv", "altered"),
        (removed, "missing"),
        ("added[31m\n.pdf", "extra"),
    ]
    document = person.document("export", "verify", "papers")
    troubles = [each["trouble"] for each in document["findings"]]
    assert troubles == ["altered", "altered", "missing", "extra"]


def test_a_receipt_that_the_service_forgets_is_named_and_stays(person):
    folder = person.folder / "kept"
    person.run("export", "receipts", "-o", "kept")
    forgotten = min(each.name for each in folder.glob("*.pdf"))
    database = person.twin._assembly.database
    least = "number = (SELECT min(number) FROM receipt)"
    row = database.submit(
        lambda db: db.execute(
            f"DELETE FROM receipt WHERE {least} RETURNING *"
        ).fetchone()
    ).result()
    again = person.run("export", "receipts", "-o", "kept")
    places = ", ".join("?" * len(row))
    database.submit(
        lambda db: db.execute(f"INSERT INTO receipt VALUES ({places})", tuple(row))
    ).result()
    assert (again.returncode, again.stdout.splitlines()[1:]) == (
        9,
        ["1 file not listed any more:", f"    {forgotten}: {UNLISTED}"],
    )
    table = (folder / "manifest.csv").read_text("utf-8-sig").splitlines()
    (row,) = [line for line in table if forgotten in line]
    assert row.endswith("The service does not list it any more.")
    assert _sha256sum(folder, "manifest-sha256.txt") == 0


def _lines_but_of_the_workbook(manifest):
    """Give what a list says of files that do not say when they were written."""
    lines = manifest.read_text("utf-8").splitlines()
    return [line for line in lines if not line.endswith("receipts.xlsx")]


def test_a_bag_is_valid_for_others_and_made_again_it_is_the_same(person):
    bag = person.folder / "bag"
    first = person.run("export", "receipts", "--bag", "bag")
    manifests = ("manifest-sha256.txt", "tagmanifest-sha256.txt")
    before = _lines_but_of_the_workbook(bag / manifests[0])
    again = person.run("export", "receipts", "--bag", "bag")
    read = bagit.Bag(str(bag))
    assert (first.returncode, again.returncode, read.is_valid()) == (0, 0, True)
    now = _lines_but_of_the_workbook(bag / manifests[0])
    assert (now, len(now), _sha256sum(bag, *manifests)) == (before, 5, 0)
    assert (bag / "bagit.txt").read_bytes().splitlines()[0] == b"BagIt-Version: 1.0"
    sizes = [each.stat().st_size for each in (bag / "data").iterdir()]
    assert len(sizes) == 6
    assert {
        name: read.info[name]
        for name in ("Source-Organization", "Payload-Oxum", "Receipt-Count")
    } == {
        "Source-Organization": "Kaunihera o Tauira (twin)",
        "Payload-Oxum": f"{sum(sizes)}.6",
        "Receipt-Count": "3",
    }
    assert person.run("export", "verify", "bag").stdout == (
        "The bag bag is as it was saved: 9 files.\n"
    )


def test_a_bag_that_was_changed_or_not_finished_is_not_taken_for_whole(person):
    bag = person.folder / "spoilt"
    person.run("export", "receipts", "--bag", "spoilt")
    names = _spoil(bag / "data")
    told = (bag / "bag-info.txt").read_bytes()
    (bag / "bag-info.txt").write_bytes(told.replace(b"Count: 3", b"Count: 4"))
    found = person.document("export", "verify", "spoilt")["findings"]
    (bag / "bagit.txt").unlink()
    unfinished = person.document("export", "verify", "spoilt")["findings"]
    assert [(each["trouble"], each["file"]) for each in found] == [
        ("altered", "bag-info.txt"),
        ("altered", "bag-info.txt"),
        ("altered", f"data/{names[0]}"),
        ("missing", f"data/{names[1]}"),
        ("extra", "data/added\x1b[31m\n.pdf"),
    ]
    assert ("missing", "bagit.txt") in [(e["trouble"], e["file"]) for e in unfinished]
    # What does not belong there stays, and keeps the bag from being one.
    refused = person.run("export", "receipts", "--bag", "spoilt")
    assert (refused.returncode, (bag / "bagit.txt").exists()) == (5, False)
    assert "is not whole" in refused.stderr
    (bag / "data" / "added\x1b[31m\n.pdf").unlink()
    mended = person.run("export", "receipts", "--bag", "spoilt")
    assert (mended.returncode, bagit.Bag(str(bag)).is_valid()) == (0, True)


def test_a_bag_that_says_other_than_it_is_is_named_in_words(person):
    """All hashes are right: what the bag says of itself is compared as well."""
    bag = person.folder / "miscounted"
    person.run("export", "receipts", "--bag", "miscounted")
    sizes = [each.stat().st_size for each in (bag / "data").iterdir()]
    info = (bag / "bag-info.txt").read_text("utf-8")
    is_now = f"data/ has {sum(sizes):,} bytes in 6 files"
    tags = bag / "tagmanifest-sha256.txt"

    def said(**files):
        for name, text in files.items():
            (bag / f"{name.replace('_', '-')}.txt").write_text(text, "utf-8")
        names = ("bag-info.txt", "bagit.txt")
        lines = [
            f"{hashlib.sha256((bag / name).read_bytes()).hexdigest()}  {name}\n"
            for name in names
        ]
        tags.write_text("".join(lines), "utf-8")
        found = person.document("export", "verify", "miscounted")["findings"]
        return [(each["file"], each["trouble"], each["what"]) for each in found]

    unlisted = ("manifest-sha256.txt", "extra", "is in no list")
    assert said(bag_info=info.replace(f"{sum(sizes)}.6", "1200.1")) == [
        (
            "bag-info.txt",
            "altered",
            f"says by its Payload-Oxum that data/ has 1,200 bytes in 1 file; {is_now}",
        ),
        unlisted,
    ]
    assert said(
        bag_info=info.replace(f"{sum(sizes)}.6", "\x1b[2Jmany"),
        bagit="BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n",
    ) == [
        unlisted,
        (
            "bag-info.txt",
            "unreadable",
            f"has a Payload-Oxum that is no count: [2Jmany; {is_now}",
        ),
        (
            "bagit.txt",
            "unreadable",
            "says BagIt-Version: 0.97; kawe checks bags of BagIt-Version 1.0",
        ),
    ]


def test_a_bag_of_somebody_else_is_left_alone(person):
    theirs = person.folder / "theirs"
    theirs.mkdir()
    (theirs / "photo.txt").write_text("Ours.", encoding="utf-8")
    bagit.make_bag(str(theirs), checksums=["sha256"])
    before = {p: p.read_bytes() for p in theirs.rglob("*") if p.is_file()}
    done = person.run("export", "receipts", "--bag", "theirs")
    assert (done.returncode, "was not made by kawe" in done.stderr) == (5, True)
    assert {p: p.read_bytes() for p in theirs.rglob("*") if p.is_file()} == before
    # bagit-python declares the version before 1.0.
    found = person.document("export", "verify", "theirs")["findings"]
    assert [(each["trouble"], each["file"]) for each in found] == [
        ("unreadable", "bagit.txt")
    ]


def test_a_hostile_folder_leads_nowhere(person):
    folder, secret = person.folder / "hostile", person.folder / "secret"
    secret.mkdir()
    (secret / "key").write_bytes(b"secret")
    digest = hashlib.sha256(b"secret").hexdigest()
    folder.mkdir()
    (folder / "to-file.pdf").symlink_to(secret / "key")
    (folder / "to-folder").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.pdf")
    with (folder / "huge.pdf").open("wb") as file:
        file.truncate(300 * 1024 * 1024)
    names = {
        "../secret/key": "unreadable",
        str(secret / "key"): "unreadable",
        "to-file.pdf": "altered",
        "to-folder/key": "altered",
        "pipe.pdf": "altered",
        "huge.pdf": "altered",
        "a/../../secret/key": "unreadable",
        "\x1b]0;owned\x07.pdf": "missing",
        "nul\0.pdf": "unreadable",
        "..\\secret\\key": "unreadable",
    }
    lines = "".join(f"{digest}  {name}\n" for name in names)
    (folder / "manifest-sha256.txt").write_text(lines + "rubbish\n", encoding="utf-8")
    done = person.run("export", "verify", "hostile", "--verbose")
    found = person.document("export", "verify", "hostile")["findings"]
    told = {(each["file"], each["trouble"]) for each in found}
    assert (done.returncode, done.stdout.isprintable(), "\x1b" in done.stdout) == (
        9,
        False,
        False,
    )
    assert told == {
        *names.items(),
        ("manifest-sha256.txt", "unreadable"),
        ("to-folder", "extra"),
        ("loop", "extra"),
    }


def test_a_list_that_somebody_wrote_again_is_read_as_it_is_meant(person):
    folder = person.folder / "again"
    folder.mkdir()
    decomposed = "Nga\u0304 wai.pdf"
    (folder / decomposed).write_bytes(OTHER)
    digest = hashlib.sha256(OTHER).hexdigest()
    line = f"{digest}  ./{unicodedata.normalize('NFC', decomposed)}\r\n"
    (listed := folder / "manifest-sha256.txt").write_text(line + line, "utf-8")
    assert "saved: 1 file." in person.stdout_of("export", "verify", "again")
    listed.write_text(line.replace(digest, "0" * 64) + line, "utf-8")
    said = person.stdout_of("export", "verify", "again", code=9)
    assert "has 1 line without one hash of one file: run an export" in said


@pytest.mark.parametrize("kind", ["missing", "link", "empty"])
def test_a_folder_without_a_list_is_refused(person, kind):
    folder = person.folder / f"bare-{kind}"
    folder.mkdir()
    if kind == "link":
        (folder / "manifest-sha256.txt").symlink_to("/etc/passwd")
    if kind == "empty":
        (folder / "manifest-sha256.txt").touch()
    done = person.run("export", "verify", folder.name)
    assert (done.returncode, "no list of hashes" in done.stderr) == (
        (0, False) if kind == "empty" else (2, True)
    )


def test_a_folder_of_exported_lists_is_proven_too(person):
    person.stdout_of("export", "projects", "-o", "lists")
    assert "7 files" in person.stdout_of("export", "verify", "lists")
    (person.folder / "lists/projects.csv").write_text("x", "utf-8")
    assert "projects.csv" in person.stdout_of("export", "verify", "lists", code=9)
