"""Where the files of rows are: in a folder, or in the bucket of the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kawe.domain.batch.readings import Reading
from kawe.machine.installation import load_extra
from kawe.settings.values import Settings

if TYPE_CHECKING:
    from kawe.files.bucket import Bucket


def at_files(settings: Settings, reading: Reading) -> Reading:
    """Say where the files are: where a person said, or in the bucket, if any.

    Raises:
        ServiceUnreachable: The bucket cannot be listed.
    """
    if reading.files_root is not None or not settings.bucket:
        return reading
    bucket = _bucket(settings.bucket, settings.bucket_folder)
    bucket.refresh()
    return replace(reading, files_root=bucket.folder)


def bring_to(settings: Settings, root: Path) -> Callable[[Path], None] | None:
    """Give what fetches a file below `root`, if that is the folder of the bucket."""
    if not settings.bucket or root != settings.bucket_folder:
        return None
    return _bucket(settings.bucket, settings.bucket_folder).bring


@cache
def _bucket(address: str, folder: Path) -> Bucket:
    part = load_extra("kawe.files.bucket", extra="s3", called="What reads a bucket")
    return part.Bucket(address, folder)  # type: ignore[no-any-return]
