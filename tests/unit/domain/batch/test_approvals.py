"""Who agreed to a plan, in words."""

from dataclasses import replace

from doubles.journal_values import BATCH, NOW, PROOF, SIGNED
from kawe.domain.batch.approvals import Approval, approval_words

GIVEN = Approval(
    plan="a" * 64, batch=BATCH, author="Mere", approved_by="Hēmi", sends=1, at=NOW
)


def test_an_approval_names_both_persons_and_the_time_in_new_zealand():
    assert approval_words(GIVEN) == (
        "Hēmi approved the plan that Mere made, with 1 send, at 22:00 on "
        "21 November 2026 (NZ time); typed, not proven."
    )


def test_an_author_who_approves_is_said_to():
    assert approval_words(replace(GIVEN, approved_by="MERE", sends=1200)) == (
        "MERE approved the plan, which they made themselves, with 1,200 sends, at "
        "22:00 on 21 November 2026 (NZ time); typed, not proven."
    )


def test_a_signed_approval_says_with_which_key_and_whom_the_service_named():
    waits = replace(PROOF.signed.statement, waits=2)
    proof = replace(PROOF, signed=replace(PROOF.signed, statement=waits))
    assert approval_words(replace(SIGNED, proof=proof)) == (
        "Hēmi Tūhoe approved the plan that mere made, with 12 sends and 2 rows that "
        "waited for tokens, at 22:00 on 21 November 2026 (NZ time); signed with the "
        "key 8254 c329 a928 50f6 d539, and the service names Hēmi, hemi@example.org."
    )


def test_a_typed_word_of_before_for_a_release_is_still_read():
    assert approval_words(replace(GIVEN, plan="release:0", sends=2)) == (
        "Hēmi approved the release that Mere made, with 2 sends, at 22:00 on "
        "21 November 2026 (NZ time); typed, not proven."
    )
