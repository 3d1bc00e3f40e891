"""Where a journal may be: only on a disk of this computer.

A synced folder is copied while it is written, and locks on a network share are not
reliable. Both could send a row twice, so both are refused where kawe can recognise
them.
"""

import re
import subprocess
from contextlib import suppress
from pathlib import Path, PureWindowsPath
from typing import Final

from kawe.domain.text.next_steps import Given
from kawe.errors import JournalError
from kawe.journal.store.faults import shown_path
from kawe.system import is_macos

_MOUNTS: Final = Path("/proc/self/mounts")
_MACOS_MOUNT: Final = "/sbin/mount"
_MACOS_LINE: Final = re.compile(r"^.* on (/.*) \((\w+)[,)]", re.MULTILINE)
_SPACE: Final = "\\040"
# The program, the folder's name as it makes it, and what it lays into one of any name.
# OneDrive adds the organisation's. MEGA and Box: other people write these small.
_SYNCED: Final = (
    ("OneDrive", r"(?i:onedrive\b.*)", None),
    ("SharePoint", r"(?i:sharepoint( - .*)?|.+ - documents)", None),
    ("Dropbox", r"(?i:dropbox( \(.*\))?)", ".dropbox.cache"),
    ("Google Drive", r"(?i:google ?drive\b.*|my drive)", None),
    ("iCloud", r"(?i:mobile documents|icloud ?drive\b.*|com~apple~clouddocs)", None),
    ("Nextcloud", r"(?i:nextcloud\d*)", None),
    ("ownCloud or Nextcloud", r"(?i:owncloud\d*)", ".*sync_*.db"),
    ("Box", r"Box|(?i:box sync)", None),
    ("MEGA", r"MEGA|(?i:megasync)", ".debris"),
    ("pCloud", r"(?i:pcloud ?(drive|sync))", None),
    ("Syncthing", r"\.stversions", ".stfolder"),
    ("a cloud storage program", r"(?i:cloudstorage)", None),
)
_NETWORK: Final = re.compile(
    r"(fuse\.)?(nfs\d?|cifs|smb\w*|afpfs|ncpfs|davfs2?|webdav|afs|ceph|glusterfs|lustre"
    r"|beegfs|gfs2|ocfs2|juicefs|sshfs|rclone|gvfsd-fuse|s3fs|gcsfuse)"
)
# Of WSL and containers; a bare fuse tells nothing of what lies behind it.
_LENT: Final = re.compile(
    r"(fuse\.)?(9p|drvfs|virtiofs|fakeowner|grpcfuse|vboxsf|vmhgfs-fuse|prl_fs)|fuse"
)
# A long path of this computer.
_LOCAL: Final = re.compile(r"\\\\[?.]\\[A-Za-z]:")
_OCTAL: Final = re.compile(r"\\([0-7]{3})")


def check_location(path: Path) -> None:
    """Refuse a `path` that is a folder, on a network or synced; links are followed."""
    if path.is_dir():
        raise JournalError(
            message=f"The journal {shown_path(path)} is a folder.",
            hint=f"Name a file in it with {Given.JOURNAL}.",
        )
    mounts = _mounts()
    whys = (why_unsafe(e, mounts=mounts) for e in dict.fromkeys((path, path.resolve())))
    if (why := next(filter(None, whys), None)) is not None:
        raise JournalError(
            message=f"The journal cannot be kept in {shown_path(path.parent)}: {why}.",
            hint=f"Choose a folder on this computer's own disk with {Given.JOURNAL}.",
        )


def _mounts() -> str:
    if is_macos():
        # It asks no other computer, and answers at once.
        asked = [_MACOS_MOUNT]
        with suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(asked, capture_output=True, check=False, timeout=5)  # noqa: S603 - a program of the system
            return mounts_of_macos(done.stdout.decode("utf-8", "replace"))
    return _MOUNTS.read_text("utf-8", "replace") if _MOUNTS.exists() else ""


def mounts_of_macos(text: str) -> str:
    """Write what `mount` of macOS prints as Linux has it in /proc/self/mounts."""
    found = _MACOS_LINE.finditer(text)
    return "".join(f"- {each[1].replace(' ', _SPACE)} {each[2]}\n" for each in found)


def why_unsafe(path: Path, *, mounts: str) -> str | None:
    """Say why a journal must not be at `path`; None where it may.

    `mounts` is the text of /proc/self/mounts, empty where there is none.
    """
    drive = PureWindowsPath(str(path)).drive
    if drive.startswith("\\\\") and not _LOCAL.fullmatch(drive):
        return "it is a folder on another computer"
    for folder in path.parents:
        for program, name, laid in _SYNCED:
            if re.fullmatch(name, folder.name) or (laid and any(folder.glob(laid))):
                return f"{program} copies that folder while it is being written"
    kind = _file_system(path, mounts)
    return f"it is a network drive ({kind})" if _NETWORK.fullmatch(kind) else None


def lent_as(path: Path, *, mounts: str | None = None) -> str:
    """Name the file system by which another system lends this one a folder; or ""."""
    kind = _file_system(path, _mounts() if mounts is None else mounts)
    return kind if _LENT.fullmatch(kind) else ""


def _file_system(path: Path, mounts: str) -> str:
    kinds = {}
    for line in mounts.splitlines():
        _, point, kind, *_ = line.split(" ")
        kinds[Path(_OCTAL.sub(lambda code: chr(int(code[1], 8)), point))] = kind
    # Later mounts cover earlier ones, and the deepest one counts.
    return next((kinds[each] for each in (path, *path.parents) if each in kinds), "")
