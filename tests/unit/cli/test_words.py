"""JSON on a terminal says everything and does nothing."""

import json

from kawe.cli.output.printing import print_json

EVIL = (
    "Ōtāhuhu\x1b[2J\x7f\x9b1m\u202egpj.exe\u2066\u200e\u2028\u200b\ufeff\xad"
    "\U000e0041\U0001f41f"
)


def test_json_obeys_nothing_that_a_name_says_and_keeps_every_character(capsys):
    document = {"name": EVIL, "Tū\u202e": [1]}
    print_json(document)
    shown = capsys.readouterr().out
    is_inert = all(line.isprintable() for line in shown.split("\n"))
    assert (json.loads(shown), is_inert) == (document, True)


def test_macrons_stay_letters_beside_what_is_escaped(capsys):
    print_json({"name": "Ōtāhuhu\u202e 🐟"})
    assert capsys.readouterr().out == '{\n  "name": "Ōtāhuhu\\u202e 🐟"\n}\n'
