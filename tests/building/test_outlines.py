"""Outlines with whole numbers stay where they were."""

import re

import pytest

from building.outlines import rounded


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("M1.4 2.6L3.4 4.6", "m1 3 2 2"),
        ("m1.4 1.4h.4v.4h.4v.4z", "m1 1h1v1z"),  # the parts below one add up: 1.8, 1.8, 2.2, 2.2
        ("M0 0 10.2.4 20.4-.4", "m0 0h10 10"),
        ("M9 9c.1.1.2.2 1.2 1.2s2 2 3 3", "m9 9c0 0 0 0 1 1s2 2 3 3"),
        ("M0 0a4.25 4 0 01.6 8.4", "m0 0a4.2 4 0 0 1 1 8"),  # flags need no space
        ("M5 5zm1 1z", "m5 5zm1 1z"),
        ("M5 5m.2.2l0 0m3 3l1 1", "m5 5m0 0m3 3 1 1"),  # moves stay apart when what was between them is gone
    ],
)
def test_rounded(path: str, whole: str) -> None:
    assert rounded(path) == whole


def test_errors_do_not_add_up() -> None:
    steps = [int(number) for number in re.findall(r"-?\d+", rounded("M0 0" + "l.4 .4" * 1000))]
    assert sum(steps[::2]) == sum(steps[1::2]) == 400
