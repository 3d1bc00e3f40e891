"""Receipts come once and whole, whatever happens to the export.

`tests/campaigns/receipts.py` is the long version.
"""

import pytest

from doubles.receipt_runs import export_through_trouble


@pytest.mark.short_campaign
@pytest.mark.parametrize("is_bag", [False, True], ids=["folder", "bag"])
def test_an_export_that_is_killed_has_every_receipt_once_in_the_end(tmp_path, is_bag):
    done = export_through_trouble(
        tmp_path, receipts=150, kills=4, seed=1, is_bag=is_bag
    )
    assert (done.complaints, done.receipts > 150, done.faults > 5) == ([], True, True)
