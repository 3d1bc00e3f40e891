"""Keys and signatures as text."""

import pytest

from kawe.errors import KeyMissing
from kawe.signatures import needs_passphrase, new_signer, open_signer, verifies


@pytest.mark.parametrize("passphrase", ["", "Kia ora ā"])
def test_a_key_comes_back_from_its_text_and_signs_the_same(passphrase):
    signer = new_signer()
    pem = signer.to_pem(passphrase)
    again = open_signer(pem, passphrase)
    assert (
        needs_passphrase(pem),
        again.public_key,
        again.sign(b"one") == signer.sign(b"one"),
        pem in repr(again),
    ) == (bool(passphrase), signer.public_key, True, False)


def test_a_signature_is_of_one_message_and_one_key():
    signer = new_signer()
    signature = signer.sign(b"one")
    tried = [
        (signer.public_key, b"one", signature),
        (signer.public_key, b"two", signature),
        (new_signer().public_key, b"one", signature),
        (signer.public_key, b"one", ""),
        ("ā", b"one", signature),
        ("", b"one", signature),
    ]
    assert [verifies(k, message=m, signature=s) for k, m, s in tried] == [
        True,
        *[False] * 5,
    ]


@pytest.mark.parametrize(
    ("change", "passphrase"),
    [
        (lambda pem: pem, "another"),
        (lambda pem: pem, ""),
        (lambda pem: pem.replace("ENCRYPTED ", ""), ""),
        (lambda pem: pem[:80], "Kia ora"),
        (lambda _: "", ""),
    ],
)
def test_a_key_that_cannot_be_opened_says_so_and_shows_nothing(change, passphrase):
    pem = change(new_signer().to_pem("Kia ora"))
    with pytest.raises(KeyMissing) as caught:
        open_signer(pem, passphrase)
    assert str(caught.value) == (
        "Your approval key cannot be opened: the passphrase is wrong, or the file was "
        "changed. Nothing was signed. Try again with the right passphrase."
    )
