"""Reads an uploaded file as a stream.

The fields come before the file, as in S3, so the policy is checked first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from kawe.twin.storage.grants import PostPolicy, StorageRefusal

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
        """Give the parser that feeds this reader.

        Raises:
            StorageRefusal: 400, the body is no form with a boundary.
        """
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
        """Say what was granted, once the whole form was read.

        Raises:
            StorageRefusal: The form breaks the policy or is not whole.
        """
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
            value = self._part_value.decode(errors="replace")
            self.fields[self._part_name] = value

    def _on_end(self) -> None:
        self._ended = True


def _malformed() -> StorageRefusal:
    return StorageRefusal(
        "MalformedPOSTRequest", "The body is not a well-formed multipart/form-data."
    )
