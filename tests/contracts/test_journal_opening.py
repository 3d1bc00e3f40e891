"""What the journal on disk opens, what it refuses, and who may read it."""

import asyncio
import errno
import os
import sqlite3
import stat
from contextlib import closing

import pytest

from doubles.journal_gate import open_hooked
from doubles.journal_values import BATCH, BINDING, NOW, batch, entry, line
from kawe.domain.text.next_steps import Given
from kawe.errors import JournalError, JournalNewer
from kawe.journal.history import Verification, verify_journal
from kawe.journal.journal import StoreJournal
from kawe.journal.store.opening import (
    APPLICATION_ID,
    keep_names,
    migrations,
)
from kawe.journal.words import instant_to_text


def _refusal(path, *, read_only=False):
    with pytest.raises(JournalError) as caught:
        StoreJournal.open(path, read_only=read_only)
    return str(caught.value)


def _mode(path):
    return oct(stat.S_IMODE(path.stat().st_mode))


def _change(path, *statements):
    """Write into a journal as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.executescript(statement)


class Syncing:
    """Takes down which folders are synced; each meets `fault`."""

    def __init__(self, fault=None):
        self.fault, self.folders = fault, set()

    def __call__(self, handle):
        self.folders.add(os.fstat(handle).st_ino)
        if self.fault is not None:
            raise OSError(self.fault, os.strerror(self.fault))


_POSIX = pytest.mark.skipif(os.name != "posix", reason="folders are not synced here")


@_POSIX
@pytest.mark.parametrize("fault", [None, errno.EINVAL, errno.EACCES])
def test_every_folder_on_the_way_to_a_new_journal_is_forced_to_the_disk(
    tmp_path, fault
):
    syncing = Syncing(fault)
    keep_names(tmp_path / "journal.db", sync=syncing)
    on_the_way = [tmp_path, *tmp_path.parents]
    assert syncing.folders == {each.stat().st_ino for each in on_the_way}


@_POSIX
def test_a_journal_is_not_begun_in_a_folder_that_the_disk_does_not_keep(tmp_path):
    with pytest.raises(OSError, match="Input/output error"):
        keep_names(tmp_path / "journal.db", sync=Syncing(errno.EIO))


def test_folder_and_files_are_their_owners_alone(disk):
    beside = {}

    def look(_calls):
        beside.update({each.name: _mode(each) for each in disk.path.parent.iterdir()})

    async def script():
        journal = open_hooked(disk.path, look)
        await journal.bind(BINDING)
        await journal.aclose()

    before = os.umask(0)
    try:
        asyncio.run(script())
    finally:
        os.umask(before)
    assert (_mode(disk.path.parent), beside) == (
        "0o700",
        {
            "journal.db": "0o600",
            "journal.db-journal": "0o600",
            "journal.db.holder": "0o600",
            "journal.db.lock": "0o600",
        },
    )


def test_a_journal_that_others_could_read_is_closed_to_them(disk):
    disk.ask("batches")
    disk.path.chmod(0o644)
    disk.ask("batches")
    assert _mode(disk.path) == "0o600"


def test_a_folder_that_was_there_keeps_its_rights(disk):
    disk.path.parent.mkdir(mode=0o755)
    disk.ask("batches")
    assert _mode(disk.path.parent) == "0o755"


@pytest.mark.parametrize("folder", ["OneDrive - Kāpiti Coast", "Dropbox"])
def test_a_synced_folder_is_refused_before_anything_is_made(tmp_path, folder):
    words = _refusal(tmp_path / folder / "kawe" / "journal.db")
    assert "copies that folder while it is being written" in words
    assert f"Choose a folder on this computer's own disk with {Given.JOURNAL}." in words
    assert list(tmp_path.iterdir()) == []


def test_a_link_into_a_synced_folder_is_refused(tmp_path):
    synced = tmp_path / "Nextcloud"
    synced.mkdir()
    link = tmp_path / "mine"
    link.symlink_to(synced)
    assert "Nextcloud copies that folder" in _refusal(link / "journal.db")


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be made" in _refusal(tmp_path / "file" / "journal.db")


def test_a_folder_is_not_a_journal(tmp_path):
    assert "is a folder" in _refusal(tmp_path)
    assert "is not a file" in _refusal(tmp_path, read_only=True)


def test_a_pipe_is_not_a_journal(tmp_path):
    path = tmp_path / "journal.db"
    os.mkfifo(path)
    assert "is not a file" in _refusal(path)


def test_a_path_that_sqlite_cannot_take_is_named(tmp_path):
    words = _refusal(tmp_path.joinpath(*["a" * 100] * 6) / "journal.db")
    assert "could not be opened: it cannot be opened" in words


def test_a_reader_finds_no_journal_before_the_first_submit(tmp_path):
    words = _refusal(tmp_path / "journal.db", read_only=True)
    assert words.endswith("yet. It begins with the first submit.")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "content",
    [b"reference,name\nR-1,Outlet\n" * 40, b"SQLite format 3\x00" + b"\xff" * 500],
    ids=["a text", "a broken head"],
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path, content, read_only
):
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    words = _refusal(path, read_only=read_only)
    assert words.startswith(f"The journal {path} could not be opened: ")
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_refused(tmp_path):
    path = tmp_path / "journal.db"
    _change(path, "CREATE TABLE entry (key TEXT)")
    assert "is not a journal of kawe's" in _refusal(path)


def test_an_empty_file_becomes_a_journal(disk):
    disk.path.parent.mkdir()
    disk.path.touch()
    assert "is empty. It begins with" in _refusal(disk.path, read_only=True)
    disk.begin(entry(1))
    assert disk.row(1) == entry(1)


def test_the_journal_of_a_newer_kawe_is_refused(disk):
    disk.ask("batches")
    _change(disk.path, "PRAGMA user_version = 99")
    with pytest.raises(JournalNewer, match="tables have version 99, and this "):
        StoreJournal.open(disk.path)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT load_extension('x')",
        "CREATE TRIGGER more AFTER INSERT ON line BEGIN DELETE FROM line; END",
        "DROP TRIGGER event_is_never_removed",
        "ALTER TABLE batch ADD COLUMN more TEXT",
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_schema_that_kawe_did_not_make_is_refused(disk, statement, read_only):
    disk.ask("batches")
    _change(disk.path, statement)
    assert "are not as kawe made them" in _refusal(disk.path, read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_schema_that_is_no_text_is_damage(disk, read_only):
    disk.ask("batches")
    name = b"event_is_never_removed"
    disk.path.write_bytes(disk.path.read_bytes().replace(name, name[:-1] + b"\xe4"))
    assert "it is damaged" in _refusal(disk.path, read_only=read_only)


def test_a_refused_journal_is_not_left_locked(disk):
    disk.ask("batches")
    _change(disk.path, "CREATE TABLE more (x)")
    _refusal(disk.path)
    _change(disk.path, "DROP TABLE more")
    assert disk.ask("batches") == ()


# ------------------------------------------------------------------- damaged


def test_a_damaged_page_is_found_or_harms_nobody(disk):
    rows = tuple(entry(number) for number in range(1, 60))
    disk.begin(*rows)
    whole = disk.path.read_bytes()
    refused = 0
    for page in range(0, len(whole), 4096):
        # A page begins with how it is laid out; the first with the file's head.
        start = page or 100
        damaged = bytearray(whole)
        damaged[start : start + 40] = b"\xff" * 40
        disk.path.write_bytes(damaged)
        try:
            assert disk.ask("entries", batch().name) == rows
        except JournalError:
            refused += 1
    assert refused > len(whole) // 4096 * 3 // 4


def test_a_journal_that_was_cut_is_refused(disk):
    disk.begin(*(entry(number) for number in range(1, 60)))
    disk.path.write_bytes(disk.path.read_bytes()[:9000])
    assert "could not be opened: it is damaged" in _refusal(disk.path)


def test_a_column_of_another_kind_is_damage(disk):
    disk.begin(entry(1))
    _change(
        disk.path,
        "PRAGMA ignore_check_constraints = ON",
        "UPDATE entry SET reason = x'00'",
    )
    assert "it is damaged" in _refusal(disk.path)


@pytest.mark.parametrize(
    ("statement", "method"),
    [
        ("UPDATE entry SET content = '{}'", "entries"),
        ("UPDATE entry SET content = '['", "entries"),
        ("UPDATE entry SET content = '7'", "entries"),
        (
            "UPDATE entry SET content = replace(hex(zeroblob(9999)), '0', '[')",
            "entries",
        ),
        ("UPDATE entry SET kind = 'invoices'", "entries"),
        ("UPDATE entry SET moved_at = 'yesterday'", "entries"),
        ("UPDATE line SET place = '[1]'", "lines"),
        ("UPDATE line SET raw = '7'", "lines"),
        ("UPDATE line SET raw = '[[1]]'", "lines"),
        ('UPDATE line SET raw = \'[{"planet": "x"}]\'', "lines"),
        ("UPDATE line SET findings = '[[1]]'", "lines"),
        ("UPDATE batch SET workbook = '[]'", "batches"),
        ("UPDATE batch SET headings = 'x'", "batches"),
        ("UPDATE batch SET kind = 'invoices'", "batches"),
    ],
)
def test_what_kawe_did_not_write_is_refused_when_it_is_read(disk, statement, method):
    disk.begin(entry(1), lines=[line(1)])
    _change(disk.path, statement)
    values = () if method == "batches" else (batch().name,)
    words = disk.refused(method, *values)
    assert words.startswith("The journal holds something that kawe did not write.")


def test_text_that_is_no_text_is_refused_when_it_is_read(disk):
    disk.begin(entry(1))
    _change(disk.path, "UPDATE entry SET reason = CAST(x'ff' AS TEXT)")
    words = disk.refused("entries", batch().name)
    assert "could not be read" in words


# --------------------------------------------------------- of an older kawe


def _of_version(path, version):
    """Write a journal as an older kawe left it, with one batch."""
    path.parent.mkdir()
    _change(
        path,
        *migrations()[:version],
        f"PRAGMA application_id = {APPLICATION_ID}",
        f"PRAGMA user_version = {version}",
        f"""INSERT INTO batch VALUES (
            'monthly', 'projects', '"/home/mere/November.xlsx"', '"Projects"',
            '["Reference", "Name"]', '{instant_to_text(NOW)}', '{instant_to_text(NOW)}'
        )""",
    )


@pytest.mark.parametrize("version", range(1, len(migrations())))
def test_a_journal_of_an_older_kawe_can_be_looked_at_and_stays_as_it_is(disk, version):
    _of_version(disk.path, version)
    before = disk.path.read_bytes()
    reader = disk.opened(read_only=True)
    found = reader.ask("batches"), reader.ask("iwi_answers", since=NOW)
    assert (found, verify_journal(disk.path), disk.path.read_bytes()) == (
        ((batch(),), {}),
        Verification(events=0, rows=0),
        before,
    )


@pytest.mark.parametrize("version", range(1, len(migrations())))
def test_a_journal_of_an_older_kawe_is_brought_up_to_date_by_a_writer(disk, version):
    _of_version(disk.path, version)
    disk.begin(entry(1))
    with closing(sqlite3.connect(disk.path)) as db:
        now = db.execute("PRAGMA user_version").fetchone()[0]
    assert (now, disk.row(1)) == (len(migrations()), entry(1))


@pytest.mark.parametrize("reads_only", [True, False], ids=["look", "write"])
def test_the_lines_of_an_older_journal_are_those_of_the_workbook_that_it_read(
    disk, reads_only
):
    _of_version(disk.path, 4)
    _change(
        disk.path,
        """INSERT INTO line VALUES (
            'monthly', 1, '["Projects", 2]', '["R-1", "Stormwater outlet"]', '[]', NULL
        )""",
    )
    opened = disk.opened(read_only=reads_only)
    found = opened.ask("readings", BATCH), opened.ask("lines", BATCH)
    assert found == ((batch().reading,), (line(1, row=None),))
