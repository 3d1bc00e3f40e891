"""Files of rows in an S3-compatible bucket, as a folder of this machine.

The folder has a file of the right name and size for each object; its content comes when
a row names it. What is found, measured and sent is thus looked at in one place, by
`FolderAttachments`. Keys come from elsewhere: what is no plain path is left out.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from html import unescape
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote_plus, urlsplit
from urllib.request import urlopen

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
                found = [*self._encoded()]
        except (BaseError, OSError, HTTPException, LookupError, ValueError) as trouble:
            said = one_line(str(trouble).partition("\n")[0], limit=200)
            raise ServiceUnreachable(
                message=f"The bucket of files cannot be listed: {said}",
                hint=f"See to its address and your keys' rights, then {Next.AGAIN}.",
            ) from trouble
        for each in found:
            if _is_plain(each["path"]):
                yield each["path"], each["size"], _version(each)

    def _encoded(self) -> Iterator[Any]:
        """Give the objects by a list of encoded keys, of which none hides the others.

        obstore asks for no such list, but signs the address of one.
        """
        told: Any = self._store.config | {"virtual_hosted_style_request": False}
        above, last = f"{self._store.prefix or ''}/".lstrip("/"), ""
        asked = f"{self._store.config['bucket']}?list-type=2&encoding-type=url&prefix="
        while True:
            told["bucket"] = f"{asked}{quote(above)}&start-after={quote(last)}#"
            lists = S3Store(**told, client_options=self._store.client_options)
            address = obstore.sign(lists, "GET", "", _CONNECT)
            with urlopen(address, timeout=_CONNECT.seconds) as answer:  # noqa: S310 - obstore's
                page = answer.read().decode()
            before = last
            for each in re.findall(r"<Contents>(.*?)</Contents>", page, re.DOTALL):
                said = dict(re.findall(r"<(\w+)>([^<]*)</", each))
                last = unquote_plus(said["Key"])
                yield {
                    "path": last.removeprefix(above),
                    "size": int(said["Size"]),
                    "last_modified": datetime.fromisoformat(said["LastModified"]),
                    "e_tag": unescape(said["ETag"]),
                }
            if "<IsTruncated>true<" not in page:
                return
            if last == before:
                raise LookupError("its list does not go on")


def _store(address: str) -> S3Store:
    parts = urlsplit(address)
    told: Any = {name: each[-1] for name, each in parse_qs(parts.query).items()}
    endpoint = told.get("endpoint")
    is_near = endpoint is not None and is_loopback(endpoint)
    is_safe = endpoint is None or endpoint.startswith("https://") or is_near
    prefix = parts.path.strip("/")
    is_name = parts.hostname and "@" not in parts.netloc and _is_plain(prefix or "-")
    is_known = told.keys() <= {"endpoint", "region"}
    if parts.scheme != "s3" or not (is_name and is_safe and is_known):
        raise SettingsError(
            message="bucket is not the address of a bucket that kawe can read.",
            hint='Write bucket = "s3://NAME/PREFIX?endpoint=https://…&region=…". Keys '
            "belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
        )
    return S3Store(
        parts.netloc,
        prefix=prefix or None,
        client_options={"allow_http": is_near, "connect_timeout": _CONNECT},
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=60)},
        **told,
    )


def _is_plain(key: str) -> bool:
    parts = PurePosixPath(key).parts
    return (
        bool(parts)
        and "/".join(parts) == key
        and ".." not in parts
        and re.search(r"[\\:\0-\x1f\x7f]", key) is None
        and all(len(os.fsencode(part)) < 256 for part in parts)
    )


def _version(said: Any) -> int:  # noqa: ANN401 - of obstore
    """Give a time of its own to each version: to the second the object's."""
    seconds = int(said["last_modified"].timestamp())
    digest = sha256(str(said["e_tag"]).encode()).hexdigest()
    return seconds * 10**9 + int(digest[:8], 16) % 10**6 * 1000
