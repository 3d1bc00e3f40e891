"""Let tokens run out at every row of a batch, for many numbers of workers.

    PYTHONPATH=tests .venv/bin/python -m campaigns.tokens
        (nothing more)         batches of 50 rows
        --rows 50 --workers 8  with up to so many workers

For every number of workers, of a submit and of a release of what waits: a
balance that is right, and one that lies, for every number of tokens; a purchase,
and a colleague who spends, before every send. Of a submit alone, storms of 429 of
every length up to four times the rows. Ends with 1 when a row failed, was doubled,
was left, or waited while as many less urgent ones as workers were sent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from doubles.figures import Asked
from doubles.token_runs import Purse, Spent, release_some, spend, storm


def ends(*, rows: int, workers: int) -> Iterator[Spent]:
    """Go through every case with so many workers."""
    for tokens in range(rows + 1):
        for run in (spend, release_some):
            yield run(Purse(tokens=tokens), rows=rows, workers=workers)
            yield run(Purse(tokens=tokens), rows=rows, workers=workers, shown=rows)
            yield run(Purse(tokens=rows), rows=rows, workers=workers, shown=tokens)
    for at in range(1, rows + 1):
        for run in (spend, release_some):
            bought = Purse(tokens=rows // 2, changes={at: rows})
            yield run(bought, rows=rows, workers=workers, shown=rows)
            spent = Purse(tokens=rows, changes={at: -rows})
            yield run(spent, rows=rows, workers=workers)
    for answers in range(1, 4 * rows, 7):
        yield storm(rows=rows, workers=workers, answers=answers)


def main() -> int:
    """Go through all cases, print and write down what came of them."""
    given = Asked(__doc__, rows=50, workers=8)
    runs = failed = doubled = left = refused = beyond = passed_over = 0
    for workers in range(1, given.workers + 1):
        for end in ends(rows=given.rows, workers=workers):
            runs += 1 + end.runs
            failed += end.failed
            doubled += end.most_sends > 1 or end.creates != given.rows
            left += end.unsent
            refused += end.refused
            beyond += end.refused > workers
            passed_over += end.passed_over
            # Sends that are under way when a token comes may be less urgent ones.
            beyond += end.passed_over >= workers
    print(
        f"{runs} runs of {given.rows} rows: {failed} rows failed, {doubled} batches "
        f"doubled a row, {left} rows left, {refused} answers with 402, {beyond} runs "
        f"with more of them than workers, {passed_over} rows passed over"
    )
    given.record(
        "tokens",
        f"batches of {given.rows} rows whose tokens run out at every row, are "
        "bought or spent by others before every send, or are shown wrongly; "
        "storms of 429",
        runs=runs,
        rows=runs * given.rows,
        faults=refused,
        lost=left,
        doubled=doubled,
        to_a_person=failed,
        seeds="every case",
        note=f"1 to {given.workers} workers; {beyond} runs with more sends after "
        f"the first 402 than workers; {passed_over} rows waited while a less "
        "urgent one was sent",
    )
    return 1 if failed or doubled or left or beyond else 0


if __name__ == "__main__":
    sys.exit(main())
