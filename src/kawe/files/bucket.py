"""Files of rows in an S3-compatible bucket, as a folder of this machine.

The folder has a file of the right name and size for each object; its content comes when
a row names it. What is found, measured and sent is thus looked at in one place, by
`FolderAttachments`. Keys come from elsewhere: what is no plain path is left out.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import obstore
from obstore.exceptions import BaseError, InvalidPathError
from obstore.store import S3Store

from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing
from kawe.errors import ServiceUnreachable, SettingsError
from kawe_contract.limits import UPLOAD_MAX_BYTES

_CONNECT: Final = timedelta(seconds=10)


class Bucket:
    """The objects below the prefix of a bucket, named s3://NAME/PREFIX?endpoint=….

    The time of a file says which version of its object it is; one that is not fetched
    has none of theirs.
    """

    def __init__(self, address: str, folder: Path) -> None:
        self.folder: Final = folder
        self._store: Final = _store(address)
        self._versions: Final[dict[str, int]] = {}

    def refresh(self) -> None:
        """Make the folder as the bucket is now.

        Raises:
            ServiceUnreachable: The bucket cannot be listed.
        """
        make_folder(self.folder)
        objects = [*self._objects()]
        above = {str(e) for key, _, _ in objects for e in PurePosixPath(key).parents}
        for key, size, version in objects:
            if size == 0 and key in above:
                # Consoles keep a folder as an empty object with its name.
                continue
            path = self.folder / key
            # A key that is a folder of others too, or too long here, is no file.
            with suppress(OSError):
                make_folder(path.parent)
                if not path.is_file() or path.stat().st_size != size:
                    # Only its name and size are true yet.
                    path.touch(0o600)
                    os.truncate(path, size)
                self._versions[key] = version
        for path in self.folder.rglob("*"):
            key = path.relative_to(self.folder).as_posix()
            if path.is_file() and key not in self._versions:
                path.unlink()

    def bring(self, path: Path) -> None:
        """Fetch the content of a file, if it is not here.

        Raises:
            OSError: It cannot be fetched.
            ServiceUnreachable: As `refresh`.
        """
        if not self._versions:
            self.refresh()
        key = path.relative_to(self.folder.resolve()).as_posix()
        version, now = self._versions.get(key), path.stat()
        if version is None:
            raise FileNotFoundError(key)
        if now.st_mtime_ns == version or now.st_size > UPLOAD_MAX_BYTES:
            return
        try:
            with replacing(path) as file:
                for chunk in obstore.get(self._store, key).stream():
                    file.write(bytes(chunk))
        except BaseError as trouble:
            raise OSError(one_line(str(trouble), limit=200)) from trouble
        os.utime(path, ns=(version, version))

    def _objects(self) -> Iterator[tuple[str, int, int]]:
        try:
            try:
                found = [e for some in obstore.list(self._store) for e in some]
            except InvalidPathError:
                found = [*self._walked()]
        except BaseError as trouble:
            said = one_line(str(trouble).partition("\n")[0], limit=200)
            raise ServiceUnreachable(
                message=f"The bucket of files cannot be listed: {said}",
                hint="See to its address, your keys, their rights and the names in "
                f"it, then {Next.AGAIN}.",
            ) from trouble
        for each in found:
            if _is_plain(each["path"]):
                yield each["path"], each["size"], _version(each)

    def _walked(self, folder: str | None = None) -> Iterator[Any]:
        """Give the objects folder by folder, but those with keys that no store lists.

        A folder with a key of an empty part, `.` or `..` is listed behind that; one
        with others of them gives no file.
        """
        try:
            found = obstore.list_with_delimiter(self._store, prefix=folder)
        except InvalidPathError:
            # Behind those sorts 0, and before it, but for signs, nothing else.
            behind = f"{folder}/0" if folder else "0"
            with suppress(*[InvalidPathError] if folder else []):
                for some in obstore.list(self._store, prefix=folder, offset=behind):
                    yield from some
            return
        yield from found["objects"]
        for each in found["common_prefixes"]:
            yield from self._walked(each)


def _store(address: str) -> S3Store:
    parts = urlsplit(address)
    options = {name: each[-1] for name, each in parse_qs(parts.query).items()}
    endpoint = options.pop("endpoint", None)
    region = options.pop("region", None)
    is_near = endpoint is not None and is_loopback(endpoint)
    is_safe = endpoint is None or endpoint.startswith("https://") or is_near
    prefix = parts.path.strip("/")
    is_name = parts.hostname and "@" not in parts.netloc and _is_plain(prefix or "-")
    if parts.scheme != "s3" or not is_name or options or not is_safe:
        raise SettingsError(
            message="bucket is not the address of a bucket that kawe can read.",
            hint='Write bucket = "s3://NAME/PREFIX?endpoint=https://…&region=…". Keys '
            "belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
        )
    told: Any = {"endpoint": endpoint, "region": region}
    return S3Store(
        parts.netloc,
        prefix=prefix or None,
        client_options={"allow_http": is_near, "connect_timeout": _CONNECT},
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=60)},
        **{name: value for name, value in told.items() if value is not None},
    )


def _is_plain(key: str) -> bool:
    parts = PurePosixPath(key).parts
    return (
        bool(parts)
        and "/".join(parts) == key
        and ".." not in parts
        and not any(each in key for each in ("\\", ":", "\0"))
        and all(len(os.fsencode(part)) < 256 for part in parts)
    )


def _version(said: Any) -> int:  # noqa: ANN401 - of obstore
    """Give a time of its own to each version: to the second the object's."""
    seconds = int(said["last_modified"].timestamp())
    digest = sha256(str(said["e_tag"]).encode()).hexdigest()
    return seconds * 10**9 + int(digest[:8], 16) % 10**6 * 1000
