"""Files that lie together elsewhere are one thing to correct."""

from dataclasses import dataclass

import pytest

from doubles.rows import checked_projects, project
from doubles.sheets import NamedFiles, finding
from kawe.domain.sheet.findings import FILE_MISSING
from kawe.flows.check.checking import say_where_files_lie

WORDS = ("All lie in plans.", "Add --files plans.")


@dataclass(slots=True)
class Together(NamedFiles):
    """Files that all lie in one other folder."""

    def lie_together(self):
        """Say where."""
        return WORDS


def _finding(rule, message="Not here.", advice=""):
    said = {"heading": "Files", "value": "a.pdf"}
    return finding(rule=rule, message=message, advice=advice, **said)


FOUND = (_finding(FILE_MISSING), _finding("other"))
SAID = (_finding(FILE_MISSING, *WORDS), _finding("other"))


@pytest.mark.parametrize(("files", "said"), [(Together(), SAID), (NamedFiles(), FOUND)])
def test_each_missing_file_says_where_all_are(files, said):
    (row,) = checked_projects([project(1)]).rows
    (told,) = say_where_files_lie((row.with_findings(*FOUND),), files)
    assert told.findings == (*row.findings, *said)
