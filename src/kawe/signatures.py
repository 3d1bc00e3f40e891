"""Ed25519 keys and signatures (RFC 8032), as text.

A public key and a signature are base64; a private key is PEM (PKCS 8), encrypted where
it has a passphrase. What is signed, and whose key counts, is decided elsewhere.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kawe.errors import KeyMissing

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSigner:
    """A private key that is open, and its public key."""

    public_key: str
    _private: Ed25519PrivateKey = field(repr=False)

    def sign(self, message: bytes) -> str:
        return b64encode(self._private.sign(message)).decode()

    def public_pem(self) -> bytes:
        """Give the public key as other tools read it."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - slow

        return self._private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def to_pem(self, passphrase: str) -> str:
        """Give the private key as text; an empty passphrase leaves it open."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - slow

        return self._private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(passphrase.encode())
            if passphrase
            else serialization.NoEncryption(),
        ).decode()


def new_signer() -> ApprovalSigner:
    """Make a new key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 (start-up)
        Ed25519PrivateKey,
    )

    return _opened(Ed25519PrivateKey.generate())


def open_signer(pem: str, passphrase: str) -> ApprovalSigner:
    """Open a private key.

    Raises:
        KeyMissing: The passphrase is wrong, or the text is no such key.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 (start-up)
        Ed25519PrivateKey,
    )
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 (start-up)
        load_pem_private_key,
    )

    try:
        password = passphrase.encode() if needs_passphrase(pem) else None
        found = load_pem_private_key(pem.encode(), password=password)
    except (ValueError, TypeError):
        # The library's error could show what is secret.
        found = None
    if not isinstance(found, Ed25519PrivateKey):
        raise KeyMissing(
            message="Your approval key cannot be opened: the passphrase is wrong, or "
            "the file was changed.",
            hint="Nothing was signed. Try again with the right passphrase.",
        )
    return _opened(found)


def needs_passphrase(pem: str) -> bool:
    return "ENCRYPTED" in pem


def verifies(public_key: str, *, message: bytes, signature: str) -> bool:
    """Say whether a signature is of this message and this key."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 (start-up)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 (start-up)
        Ed25519PublicKey,
    )

    try:
        key = Ed25519PublicKey.from_public_bytes(b64decode(public_key, validate=True))
        key.verify(b64decode(signature, validate=True), message)
    except (ValueError, InvalidSignature):
        return False
    return True


def _opened(private: Ed25519PrivateKey) -> ApprovalSigner:
    public = b64encode(private.public_key().public_bytes_raw()).decode()
    return ApprovalSigner(public_key=public, _private=private)
