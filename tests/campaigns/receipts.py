"""Export thousands of receipts while a colleague sends more; kill it again and again.

    PYTHONPATH=tests .venv/bin/python -m campaigns.receipts
        (nothing more)              5,000 receipts, 20 kills, as a folder
        --receipts 300 --kills 5    as many
        --bag                       as a bag

One request in twenty fails: of the list, of the links, of the documents. At the end
each receipt must be there once with the bytes that the service has, and kawe export
verify and sha256sum must find nothing wrong. Ends with 1 where that is not so.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from doubles.figures import Asked
from doubles.receipt_runs import export_through_trouble


def main() -> int:
    """Run it, print and write down what came of it."""
    given = Asked(__doc__, receipts=5000, kills=20, seed=1, bag=False)
    with tempfile.TemporaryDirectory(prefix="kawe-receipts-") as name:
        done = export_through_trouble(
            Path(name).resolve(),
            receipts=given.receipts,
            kills=given.kills,
            seed=given.seed,
            is_bag=given.bag,
        )
    print(*done.complaints, sep="\n")
    print(
        f"{done.receipts} receipts, {done.kills} kills, {done.runs} runs, "
        f"{done.faults} faults, {len(done.complaints)} complaints"
    )
    given.record(
        "receipts",
        "receipts are exported while a colleague sends projects; one request "
        "in twenty fails, of lists, links and documents, and the export is killed",
        runs=done.runs,
        rows=done.receipts,
        faults=done.faults + done.kills,
        lost=len(done.complaints),
        seeds=str(given.seed),
        note=f"{done.kills} kills; the rows are receipts, each there once with the "
        "right bytes",
    )
    return 1 if done.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
