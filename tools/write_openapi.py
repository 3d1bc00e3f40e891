"""Write the contract as OpenAPI to docs/reference/openapi.json.

`python tools/write_openapi.py` writes; a test says when it has to.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from kawe_contract.openapi import openapi

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "openapi.json"
)


def written() -> str:
    """Give the document as it is published."""
    return json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
