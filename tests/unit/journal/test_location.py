"""Places where a journal must not be."""

from pathlib import Path

import pytest

from kawe.journal.store.location import lent_as, mounts_of_macos, why_unsafe

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
proc /proc proc rw 0 0
files:/home /home nfs4 rw 0 0
/dev/sdb1 /home/mere/own ext4 rw 0 0
//files/plans /mnt/plans\\040of\\040all cifs rw 0 0
mere@box: /mnt/box fuse.sshfs rw 0 0
files:/one /mnt/gluster fuse.glusterfs rw 0 0
files:/two /mnt/ceph ceph rw 0 0
C:\\134 /mnt/c 9p rw 0 0
it /mnt/it fuse rw 0 0
"""
LENT = {"/mnt/c/j.db": "9p", "/mnt/it/j.db": "fuse"}


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
        ("/srv/Library/CloudStorage/Egnyte/j.db", "a cloud storage program copies"),
        ("/home/mere/kawe/j.db", "it is a network drive (nfs4)"),
        ("/mnt/plans of all/j.db", "it is a network drive (cifs)"),
        ("/mnt/box/j.db", "it is a network drive (fuse.sshfs)"),
        ("/mnt/gluster/j.db", "it is a network drive (fuse.glusterfs)"),
        ("/mnt/ceph/j.db", "it is a network drive (ceph)"),
    ],
)
def test_a_place_that_is_shared_or_synced_is_told_by_its_reason(path, why):
    assert (why_unsafe(Path(path), mounts=MOUNTS) or "").startswith(why)


@pytest.mark.parametrize(
    "path",
    [
        "/var/lib/kawe/j.db",
        "/home/mere/own/kawe/j.db",
        "/srv/dropbox-of-mail/j.db",
        "/srv/onedriver/j.db",
        "/srv/boxes/j.db",
        "/srv/box/j.db",
        "/srv/Box office/j.db",
        "/srv/mega/j.db",
        "/srv/MEGA works/j.db",
        "/srv/sharepoints/j.db",
        "/srv/Council documents/j.db",
        "/srv/Sync/j.db",
        "/srv/pcloud/j.db",
        "/srv/kawe/Dropbox",
        "/mnt/plans/j.db",
        "\\\\?\\C:\\kawe\\j.db",
        *LENT,
    ],
)
def test_a_place_on_this_computer_is_fine(path):
    assert why_unsafe(Path(path), mounts=MOUNTS) is None
    assert lent_as(Path(path), mounts=MOUNTS) == LENT.get(path, "")


BOX = "https://support.box.com/hc/en-us/articles/360043695894"
COPIES = "copies that folder while it is being written"
SYNCED = [
    # OneDrive puts a library "Documents" of a site under the name of both.
    ("C:/Users/mere/Council/Consents - Documents/j.db", "SharePoint", "as seen"),
    ("/srv/SharePoint/j.db", "SharePoint", "as seen"),
    ("/srv/SharePoint - Council/j.db", "SharePoint", "as seen"),
    ("C:/Users/mere/Box/kawe/j.db", "Box", BOX),
    ("/Users/mere/Library/CloudStorage/Box-Box/j.db", "a cloud storage program", BOX),
    ("/home/mere/own/Box Sync/j.db", "Box", "Box Sync, before Box Drive"),
    ("/home/mere/own/ownCloud/j.db", "ownCloud or Nextcloud", "the client's own log"),
    ("/home/mere/own/owncloud2/j.db", "ownCloud or Nextcloud", "a second account"),
    ("/home/mere/own/MEGA/j.db", "MEGA", "MEGA Desktop 5"),
    ("/home/mere/own/MEGAsync/j.db", "MEGA", "MEGAsync 4"),
    ("/home/mere/own/pCloudDrive/j.db", "pCloud", "Linux"),
    ("/Users/mere/pCloud Drive/j.db", "pCloud", "macOS"),
]
"""Where these programs copy, by what name, and who says so."""


def test_a_folder_that_a_program_made_to_copy_is_told_by_its_name():
    found = {path: why_unsafe(Path(path), mounts="") for path, _, _ in SYNCED}

    assert found == {path: f"{program} {COPIES}" for path, program, _ in SYNCED}


MARKED = [
    (".stfolder", "Syncthing", "https://docs.syncthing.net/users/config.html"),
    (".debris", "MEGA", "https://help.mega.io/installs-apps/desktop"),
    (".sync_0a1b2c.db", "ownCloud or Nextcloud", "clients from 2.6"),
    ("._sync_0a1b2c.db", "ownCloud or Nextcloud", "clients from 2.3"),
    (".dropbox.cache", "Dropbox", "in the folder, under any name"),
]


@pytest.mark.parametrize(("marker", "program"), [each[:2] for each in MARKED])
def test_a_folder_of_any_name_is_told_by_what_a_program_laid_into_it(
    tmp_path, marker, program
):
    journal = tmp_path / "kawe" / "council.journal"
    before = why_unsafe(journal, mounts="")
    (tmp_path / marker).mkdir()

    assert (before, why_unsafe(journal, mounts="")) == (None, f"{program} {COPIES}")


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
