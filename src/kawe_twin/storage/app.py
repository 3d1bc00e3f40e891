"""The storage origin: a second application, on another port, without keys.

It answers as S3 does: 204 for a stored file, XML for a refusal. An uploaded file is
read as a stream; the fields come before it, as in S3, so the policy is checked first.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from sqlite3 import Connection, Row
from typing import BinaryIO, Final
from xml.sax.saxutils import escape

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kawe_contract.limits import UPLOAD_MAX_BYTES
from kawe_twin.storage.grants import (
    BUCKET,
    PostPolicy,
    StorageRefusal,
    StorageSetup,
    judge_form,
    judge_link,
)
from kawe_twin.storage.papers import rendered

_READ_MAX_BYTES: Final = 4 * UPLOAD_MAX_BYTES
# Each upload holds a connection and a file.
_MOST_AT_ONCE: Final = 200
_SLOWEST_BYTES_PER_SECOND: Final = 100_000
# Nobody will read the rest of the body.
_UNREAD: Final = frozenset({"RequestTimeout", "SlowDown"})
_MEDIA_TYPE: Final = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageContext:
    """What the storage origin needs to answer."""

    setup: StorageSetup
    part_seconds: float
    _posting: set[object] = field(default_factory=set)

    def application(self) -> Starlette:
        """Build the ASGI application."""
        application = Starlette(
            routes=[
                Route(f"/{BUCKET}", self._take, methods=["POST"]),
                Route("/documents/{id}", self._give, methods=["GET"]),
            ],
            exception_handlers=dict.fromkeys(
                (StorageRefusal, HTTPException, ClientDisconnect, Exception), _tell
            ),
        )
        application.router.redirect_slashes = False
        return application

    async def _take(self, request: Request) -> Response:
        """Store one file; it is on the disk before the 204."""
        if len(self._posting) >= _MOST_AT_ONCE:
            raise StorageRefusal("SlowDown", "Please reduce your request rate.")
        self._posting.add(request)
        folder = self.setup.document_folder
        try:
            with folder.begin() as written:
                reader = FormReader(judge=self._judge, file=written[0])
                await _feed(request, reader=reader, part_seconds=self.part_seconds)
                grant = reader.finish()
                await asyncio.to_thread(
                    folder.receive, written, document_id=grant.document_id
                )
        finally:
            self._posting.discard(request)
        return Response(status_code=204)

    def _judge(self, fields: dict[str, str]) -> PostPolicy:
        return judge_form(fields, signer=self.setup.signer, at=self.setup.clock())

    async def _give(self, request: Request) -> Response:
        """Give one document; papers become PDF on the first download."""
        document_id = str(request.path_params["id"]).lower()
        judge_link(
            request.query_params,
            document_id=document_id,
            signer=self.setup.signer,
            at=self.setup.clock(),
        )
        row = await self.setup.database.run(lambda db: _document(db, document_id))
        if row is None:
            raise _no_such_key()
        folder = self.setup.document_folder
        path = folder.path(document_id)
        if row["content"] is not None and not path.exists():
            printed = await asyncio.to_thread(rendered, row["content"])
            await asyncio.to_thread(folder.write, printed, document_id=document_id)
        if not path.exists():
            raise _no_such_key()
        return FileResponse(
            path,
            media_type=_media_type(row["mime_type"]),
            filename=row["name"] or document_id,
            headers={"X-Content-Type-Options": "nosniff"},
        )


def _document(db: Connection, document_id: str) -> Row | None:
    row: Row | None = db.execute(
        "SELECT name, mime_type, content FROM document"
        " LEFT JOIN paper ON paper.document_id = document.id"
        " WHERE document.id = ? AND state IN ('READY', 'PAPER')",
        (document_id,),
    ).fetchone()
    return row


async def _feed(request: Request, *, reader: "FormReader", part_seconds: float) -> None:
    """Read the whole body, or as much as anybody may send, if it comes in time."""
    parser = reader.parser(request.headers.get("content-type", ""))
    seen_bytes = 0
    malformed = False
    async for part in _timely(request, part_seconds=part_seconds):
        seen_bytes += len(part)
        if seen_bytes > _READ_MAX_BYTES:
            return
        try:
            if not malformed:
                parser.write(part)
        except FormParserError:
            malformed = True


async def _timely(request: Request, *, part_seconds: float) -> AsyncIterator[bytes]:
    now = asyncio.get_running_loop().time
    begun_at, seen_bytes = now(), 0
    parts = request.stream()
    while True:
        # Slow bytes must not hold the connection for ever.
        whole_until = begun_at + part_seconds + seen_bytes / _SLOWEST_BYTES_PER_SECOND
        try:
            async with asyncio.timeout_at(min(now() + part_seconds, whole_until)):
                part = await anext(parts, None)
        except TimeoutError as late:
            raise StorageRefusal(
                "RequestTimeout", "Your socket was not read from or written to in time."
            ) from late
        if part is None:
            return
        seen_bytes += len(part)
        yield part


def _media_type(told: str | None) -> str:
    # The caller chose this text: only a plain media type is safe in a header.
    plain = _MEDIA_TYPE.fullmatch(told or "")
    return plain.group() if plain else "application/octet-stream"


def _no_such_key() -> StorageRefusal:
    return StorageRefusal("NoSuchKey", "The key does not exist.")


async def _tell(request: Request, fault: Exception) -> Response:  # noqa: ARG001 - the shape Starlette calls
    match fault:
        case StorageRefusal():
            answer = as_xml(fault)
            if fault.code in _UNREAD:
                answer.headers["Connection"] = "close"
            return answer
        case HTTPException():
            code = "MethodNotAllowed" if fault.status_code == 405 else "NoSuchBucket"
            said = StorageRefusal(code, fault.detail)
            return as_xml(said, status_code=fault.status_code)
        case ClientDisconnect():
            # Nobody is left to read this answer.
            return as_xml(StorageRefusal("RequestTimeout", "Gone."))
        case _:
            return as_xml(StorageRefusal("InternalError", "Please try again."))


def as_xml(refusal: StorageRefusal, *, status_code: int | None = None) -> Response:
    """Put a refusal in XML, as S3 does."""
    code, message = escape(refusal.code), escape(refusal.message)
    return Response(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<Error><Code>{code}</Code><Message>{message}</Message></Error>",
        status_code=status_code or refusal.status_code,
        media_type="application/xml",
    )


# Of names, headers and values together.
_FIELDS_MAX_BYTES: Final = 20_480


@dataclass(slots=True, kw_only=True)
class FormReader:
    """One form: its fields, and what was posted as its file.

    A refusal waits until `finish`, so that the rest of the body is read and dropped.
    """

    judge: Callable[[dict[str, str]], PostPolicy]
    file: BinaryIO
    fields: dict[str, str] = field(default_factory=dict)
    grant: PostPolicy | None = None
    size_bytes: int = 0
    refusal: StorageRefusal | None = None
    _header_name: bytearray = field(default_factory=bytearray)
    _header_value: bytearray = field(default_factory=bytearray)
    _part_name: str = ""
    _part_value: bytearray = field(default_factory=bytearray)
    _held_bytes: int = 0
    _ended: bool = False

    def parser(self, content_type: str) -> MultipartParser:
        """Give the parser that feeds this reader; no boundary is no form."""
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise _malformed()
        try:
            return MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._on_header_name,
                    "on_header_value": self._on_header_value,
                    "on_header_end": self._on_header_end,
                    "on_headers_finished": self._on_headers_finished,
                    "on_part_data": self._on_data,
                    "on_part_end": self._on_part_end,
                    "on_end": self._on_end,
                },
            )
        except FormParserError as wrong:
            raise _malformed() from wrong

    def finish(self) -> PostPolicy:
        """Say what was granted, or refuse a form that is not whole or not as signed."""
        if self.refusal is not None:
            raise self.refusal
        if not self._ended:
            raise _malformed()
        if self.grant is None:
            raise StorageRefusal(
                "InvalidArgument", "POST requires exactly one file upload per request."
            )
        if self.size_bytes < self.grant.least_bytes:
            raise StorageRefusal(
                "EntityTooSmall", "The file is smaller than the policy allows."
            )
        return self.grant

    def _begin(self) -> None:
        self._part_name = ""
        self._part_value.clear()

    def _on_header_name(self, data: bytes, start: int, end: int) -> None:
        self._hold(data[start:end], at=self._header_name)

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._hold(data[start:end], at=self._header_value)

    def _on_header_end(self) -> None:
        if self._header_name.lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self._header_value))
            self._part_name = options.get(b"name", b"").decode(errors="replace")
        self._header_name.clear()
        self._header_value.clear()

    def _on_headers_finished(self) -> None:
        if self._part_name != "file" or self.refusal is not None:
            return
        if self.grant is not None:
            self.refusal = _malformed()
            return
        try:
            self.grant = self.judge(self.fields)
        except StorageRefusal as refusal:
            self.refusal = refusal

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self.refusal is not None:
            return
        if self._part_name == "file":
            self._keep(data[start:end])
        elif self.grant is None:
            # Fields after the file are ignored, as S3 does.
            self._hold(data[start:end], at=self._part_value)

    def _keep(self, data: bytes) -> None:
        self.size_bytes += len(data)
        if self.grant is not None and self.size_bytes > self.grant.most_bytes:
            self.refusal = StorageRefusal(
                "EntityTooLarge", "The file is larger than the policy allows."
            )
            return
        self.file.write(data)

    def _hold(self, data: bytes, *, at: bytearray) -> None:
        if self.refusal is not None:
            return
        self._held_bytes += len(data)
        if self._held_bytes > _FIELDS_MAX_BYTES:
            self.refusal = StorageRefusal(
                "MaxPostPreDataLengthExceededError",
                "The fields of the form are too long.",
            )
            return
        at += data

    def _on_part_end(self) -> None:
        if self._part_name != "file" and self.grant is None and not self.refusal:
            self.fields[self._part_name] = self._part_value.decode(errors="replace")

    def _on_end(self) -> None:
        self._ended = True


def _malformed() -> StorageRefusal:
    return StorageRefusal(
        "MalformedPOSTRequest", "The body is not a well-formed multipart/form-data."
    )
