"""Places where a journal must not be."""

from __future__ import annotations

from pathlib import Path

import pytest

from kawe.journal.store.location import mounts_of_macos, why_unsafe

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
proc /proc proc rw 0 0
files:/home /home nfs4 rw 0 0
/dev/sdb1 /home/mere/own ext4 rw 0 0
//files/plans /mnt/plans\\040of\\040all cifs rw 0 0
mere@box: /mnt/box fuse.sshfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("//files/plans/journal.db", "it is a folder on another computer"),
        ("\\\\files\\plans\\journal.db", "it is a folder on another computer"),
        ("\\\\?\\UNC\\files\\plans\\j.db", "it is a folder on another computer"),
        ("/home/mere/own/OneDrive/j.db", "OneDrive copies"),
        ("/srv/OneDrive - Kāpiti Coast/kawe/j.db", "OneDrive copies"),
        ("/srv/Dropbox/j.db", "Dropbox copies"),
        ("/srv/Dropbox (Council)/j.db", "Dropbox copies"),
        ("/srv/Google Drive/j.db", "Google Drive copies"),
        ("/srv/GoogleDrive-mere@x.nz/My Drive/j.db", "Google Drive copies"),
        ("/srv/Library/Mobile Documents/x/j.db", "iCloud copies"),
        ("/srv/iCloudDrive/j.db", "iCloud copies"),
        ("/srv/Nextcloud/j.db", "Nextcloud copies"),
        ("/srv/Library/CloudStorage/Box/j.db", "a cloud storage program copies"),
        ("/home/mere/kawe/j.db", "it is a network drive (nfs4)"),
        ("/mnt/plans of all/j.db", "it is a network drive (cifs)"),
        ("/mnt/box/j.db", "it is a network drive (fuse.sshfs)"),
    ],
)
def test_a_place_that_is_shared_or_synced_is_told_by_its_reason(path, why):
    found = why_unsafe(Path(path), mounts=MOUNTS)
    assert found is not None
    assert found.startswith(why)


@pytest.mark.parametrize(
    "path",
    [
        "/var/lib/kawe/j.db",
        "/home/mere/own/kawe/j.db",
        "/srv/dropbox-of-mail/j.db",
        "/srv/onedriver/j.db",
        "/srv/kawe/Dropbox",
        "/mnt/plans/j.db",
        "\\\\?\\C:\\kawe\\j.db",
    ],
)
def test_a_place_on_this_computer_is_fine(path):
    assert why_unsafe(Path(path), mounts=MOUNTS) is None


def test_where_mounts_are_not_told_the_names_of_folders_still_count():
    found = [
        why_unsafe(Path(path), mounts="")
        for path in ("/home/mere/j.db", "/home/mere/Dropbox/j.db")
    ]
    assert [each is None for each in found] == [True, False]


def test_network_drives_of_macos_are_told_by_its_mount():
    mounts = mounts_of_macos(
        "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)\n"
        "//mere@files/plans on /Volumes/plans of all (smbfs, nodev, nosuid)\n"
        "map auto_home on /System/Volumes/Data/home (autofs, automounted)\n"
        "files:/home on /Users (nfs)\n"
    )
    found = {
        path: why_unsafe(Path(path), mounts=mounts)
        for path in ("/Volumes/plans of all/j.db", "/Users/mere/j.db", "/opt/j.db")
    }
    assert found == {
        "/Volumes/plans of all/j.db": "it is a network drive (smbfs)",
        "/Users/mere/j.db": "it is a network drive (nfs)",
        "/opt/j.db": None,
    }
