"""Uploads a file: presign, storage, complete.

All three may be repeated: a document without a project is invisible and free. The
bytes are hashed while they leave, since they must be those of the check.
"""

from __future__ import annotations

from typing import Final, assert_never

from kawe.domain.service.verdicts import NotUploaded, Reason, Uploaded, UploadVerdict
from kawe.domain.sheet.content import Attachment
from kawe.errors import ContractBroken, KeyRefused, ScopeMissing, ServiceUnreachable
from kawe.service.lookups import Transient, envelope_of
from kawe.service.parsing import Unreadable, text_of
from kawe.service.retrying import Retries
from kawe.service.storage import Grant, HashedFile, Storage, checked_address
from kawe.service.transport.answers import Answer, Exchange, Lost
from kawe.service.transport.wire import Wire
from kawe_contract.enums import UploadCategory

_GIS: Final = ("application/geo+json", "application/vnd.google-earth")


class PresignedUploads:
    """Implements the port `Uploads`."""

    def __init__(self, *, wire: Wire, storage: Storage, retries: Retries) -> None:
        self._wire = wire
        self._storage = storage
        self._retries = retries

    async def upload(self, attachment: Attachment) -> UploadVerdict:
        """Upload one file."""
        try:
            # A refused or expired grant needs a new one.
            return await self._retries.call(lambda: self._once(attachment))
        except ServiceUnreachable as trouble:
            return NotUploaded(reason=Reason.NOT_REACHED, detail=trouble.message)
        except KeyRefused as trouble:
            return NotUploaded(reason=Reason.KEY_REFUSED, detail=trouble.message)
        except ScopeMissing as trouble:
            return NotUploaded(reason=Reason.SCOPE_MISSING, detail=trouble.message)
        except ContractBroken as trouble:
            return NotUploaded(reason=Reason.NOT_FOUND, detail=trouble.message)

    async def _once(self, attachment: Attachment) -> UploadVerdict:
        presigned = await self._wire.ask("upload_presign", body=_presign(attachment))
        refused = _rejection(presigned)
        if refused is not None:
            return refused
        grant = self._grant(presigned)
        refused = await self._bring(attachment, grant=grant)
        if refused is not None:
            return refused
        # A rate limit here does not repeat the upload.
        refused = await self._retries.through_limits(
            lambda: self._complete(grant, attachment)
        )
        return refused or Uploaded(document_id=grant.document_id)

    async def _bring(
        self, attachment: Attachment, *, grant: Grant
    ) -> NotUploaded | None:
        try:
            with attachment.path.open("rb") as file:
                hashed = HashedFile(file, expected_bytes=attachment.size_bytes)
                if not hashed.has_its_length():
                    return _changed(attachment)
                posted = await self._storage.post(
                    grant, attachment=attachment, file=hashed
                )
        except OSError:
            return _changed(attachment)
        # After an early refusal the rest of the file is unread.
        was_read = hashed.size_bytes >= attachment.size_bytes
        if was_read and not hashed.is_what_was_checked(attachment):
            return _changed(attachment)
        return _storage_refusal(posted)

    def _grant(self, exchange: Exchange) -> Grant:
        envelope = envelope_of(self._wire, "upload_presign", exchange)
        value = envelope["response_object"]
        try:
            fields = value["fields"]  # type: ignore[index]
            return Grant(
                document_id=text_of(value, "documentId"),
                url=checked_address(
                    text_of(value, "url"), api_url=self._wire.addresses.base_url
                ),
                fields={name: text_of(fields, name) for name in fields},
            )
        except (Unreadable, KeyError, TypeError) as trouble:
            raise ContractBroken(
                message="The service's answer to an upload request is unreadable."
            ) from trouble

    async def _complete(
        self, grant: Grant, attachment: Attachment
    ) -> NotUploaded | None:
        exchange = await self._wire.ask(
            "upload_complete", body={"documentId": grant.document_id}
        )
        refused = _rejection(exchange)
        if refused is not None:
            return refused
        envelope = envelope_of(self._wire, "upload_complete", exchange)
        value = envelope["response_object"]
        size = value.get("size") if isinstance(value, dict) else None
        if size == attachment.size_bytes:
            return None
        raise Transient(
            message=f"The storage does not hold {attachment.name} whole.",
            hint="Run the same command again.",
        )


def _presign(attachment: Attachment) -> dict[str, object]:
    mime = attachment.mime_type
    category = UploadCategory.DOCUMENT
    if mime.startswith("image/"):
        category = UploadCategory.IMAGE
    elif mime.startswith(_GIS):
        category = UploadCategory.GIS_LAYER
    return {
        "fileName": attachment.name,
        "mimeType": mime,
        "size": attachment.size_bytes,
        "category": category.value,
    }


def _rejection(exchange: Exchange) -> NotUploaded | None:
    if isinstance(exchange, Answer) and exchange.http_status in {400, 413, 422}:
        return NotUploaded(reason=Reason.REJECTED, detail=exchange.message())
    return None


def _storage_refusal(exchange: Exchange) -> NotUploaded | None:
    """Give the final refusal of the storage, if it is one.

    Raises:
        Transient: A new grant may work.
    """
    match exchange:
        case Answer(is_success=True):
            return None
        case Answer(http_status=status) if status in {400, 411, 413, 415}:
            return NotUploaded(
                reason=Reason.REJECTED, detail=f"the storage refused it ({status})"
            )
        case Answer(http_status=status):
            message = f"The storage answered {status}."
        case Lost(detail=detail):
            message = f"A file did not arrive: {detail}."
        case _:
            assert_never(exchange)
    raise Transient(message=message, hint="Run the same command again.")


def _changed(attachment: Attachment) -> NotUploaded:
    return NotUploaded(
        reason=Reason.REJECTED,
        detail=f"{attachment.name} was changed or removed while kawe was working",
        changed=True,
    )
