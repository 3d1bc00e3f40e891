"""Pages are safe whatever the texts in them say."""

import pytest
from jinja2 import DictLoader

from doubles.payloads import PAYLOADS, assert_html_is_inert
from kawe.html.rendering import origin_of, render, templates_of


def test_no_foreign_text_becomes_an_element_an_attribute_or_a_mark() -> None:
    pages = templates_of("kawe.html").overlay(
        loader=DictLoader(
            {"t": "{% for each in texts %}<p title='{{ each }}'>{{ each }}{% endfor %}"}
        )
    )

    assert_html_is_inert(pages.get_template("t").render(texts=PAYLOADS))


def test_a_file_allows_its_own_style_and_script_alone() -> None:
    page = render("file.html")
    policy = page.split('Content-Security-Policy" content="')[1].split('"')[0]

    assert policy.count("&#39;sha256-") == 2
    assert policy.startswith("default-src 'none'; style-src ")
    assert "unsafe" not in policy
    assert " style=" not in page
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Portal.example/projects/1", "https://portal.example"),
        ("http://127.0.0.1:8750/portal", "http://127.0.0.1:8750"),
        ("javascript:alert(1)", ""),
        ("https://portal.example@evil.example/", ""),
        ("https:\\\\evil.example", ""),
        ("https://portal.example/\u202e", ""),
        ("https://[", ""),
        ("/projects/1", ""),
    ],
)
def test_an_address_has_an_origin_only_if_it_is_a_plain_web_address(
    url: str, origin: str
) -> None:
    assert origin_of(url) == origin
