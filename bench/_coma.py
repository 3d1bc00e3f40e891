"""Match the columns of many sheets with COMA, in an environment of its own.

    python _coma.py < asked.json > matched.json

`asked.json` holds a list of {"own": {heading: [values]}, "known": {title: [values]}};
the answer is a list of {heading: title}, one pair for each heading that was matched.
Only this file imports Valentine; kawe does not need it.
"""

import json
import sys

import pandas as pd
from stop_words import get_stop_words
from valentine import valentine_match
from valentine.algorithms import Coma
from valentine.algorithms.coma.similarity import tfidf

# Valentine loads NLTK's list of English stop words over the network on its first run;
# this list, of nearly the same words, comes with a package.
tfidf._english_stopwords = lambda: frozenset(get_stop_words("en"))  # noqa: SLF001


def matched(own: dict, known: dict) -> dict:
    """Give the one title that each heading is matched with, best pairs first."""
    frames = [pd.DataFrame(own), pd.DataFrame(known)]
    found = valentine_match(frames, Coma(use_instances=True))
    pairs: dict = {}
    for pair, _ in sorted(found.items(), key=lambda each: -each[1]):
        heading, title = pair.source_column, pair.target_column
        if heading in known and heading not in own:
            heading, title = title, heading
        if heading not in pairs and title not in pairs.values():
            pairs[heading] = title
    return pairs


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    json.dump([matched(each["own"], each["known"]) for each in asked], sys.stdout)
