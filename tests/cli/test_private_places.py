"""Whatever the umask says, what kawe makes for a person is theirs alone."""

import os
import stat

import pytest

from doubles.command import csv_row, write_csv
from doubles.typed_commands import start_command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022])
def test_every_folder_of_settings_journal_log_and_receipts_is_private(person, umask):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    address = person.twin.address
    key = person.folder / "service.key"
    key.write_text(address.live_key, "utf-8")
    key.chmod(0o600)
    init = ("--no-input", "--store", "file", "--key-file", str(key))

    for words in (
        ("init", "--base-url", address.api_url, *init),
        ("submit", "monthly.csv", "--yes", "1", "--no-input"),
        ("export", "receipts", "-o", "papers/of/november"),
    ):
        done = start_command(
            words, folder=person.folder, environment=person.surroundings(), umask=umask
        )
        assert done.wait() == 0

    made = [
        path
        for top in (person.folder / "home", person.folder / "papers")
        for path in (top, *top.rglob("*"))
    ]
    open_to_others = {
        str(path.relative_to(person.folder)): oct(stat.S_IMODE(path.stat().st_mode))
        for path in made
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    }
    folders = {path.name for path in made if path.is_dir()}
    assert (open_to_others, {"keys", "log", "november"} <= folders) == ({}, True)
