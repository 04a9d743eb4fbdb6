"""What browsers ignore is removed from templates."""

import pytest
from jinja2 import Environment

from app.web.whitespace import Trim, Trimmer


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('<ul class="a">\n  <li data-b="-1" id="b">x</li>\n\n</ul>\n', '<ul class=a><li data-b=-1 id="b">x</li></ul>'),
        ('<b>a</b>\n  <i class="b c">d</i>\n  e f\n</p>', '<b>a</b>\n<i class="b c">d</i>\ne f</p>'),
        ('<a href="/x" rel="y" title="z" aria-hidden="true">', '<a href="/x" rel=y title="z" aria-hidden=true>'),
        ('<input value="1"/><i a="">', '<input value="1"/><i a="">'),
        ('<script>\n a="b" <p>\n\n</script>\n<p>', '<script>\n a="b" <p>\n\n</script><p>'),
        ("1 < 2 and\n3 > 2 <p>", "1 < 2 and\n3 > 2 <p>"),
        ('<p>\n<ic coin "coins"> x', '<p><ic coin "coins"> x'),
    ],
)
def test_what_is_removed(written: str, sent: str) -> None:
    assert Trimmer().trim(written) == sent


def test_nothing_is_assumed_about_the_output_of_expressions() -> None:
    page = Environment(extensions=[Trim]).from_string('<p>\n{{ a }}\n<b id="{{ a }}">x</b>\n{{ a }}</p>\n{{ a }}')
    assert page.render(a="y") == '<p>y\n<b id="y">x</b>\ny</p>y'
