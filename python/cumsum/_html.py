# SPDX-License-Identifier: MIT
"""A judgement as a small table of HTML, which notebooks show."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._judgement import Judgement

_COLOURS = {"PASS": "#1a7f37", "FAIL": "#cf222e", "DOUBTFUL": "#9a6700"}


def judgement_table(judgement: Judgement) -> str:
    """The verdict, and what belongs to it, each in a row."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in judgement.counts.items())
    rows = {
        "outputs": f"{judgement.outputs}: {counts}" if counts else str(judgement.outputs),
        "class": f"{judgement.error_class}, h={judgement.h:.3g}",
        "order": ", ".join(match.order for match in judgement.orders),
        "nearly": judgement.near and f"{judgement.near.order}, but for {judgement.differing}",
        "doubt": judgement.doubt,
        "first": judgement.first if judgement.verdict == "FAIL" else None,
        "worst": judgement.worst,
        "power": judgement.power if judgement.power.is_known else None,
    }
    shown = "".join(
        f'<tr><th style="text-align:left">{name}</th>'
        f'<td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in rows.items()
        if value
    )
    colour = _COLOURS[judgement.verdict]
    head = f'<strong style="color:{colour}">{judgement.verdict}</strong>'
    return f"<table><caption>{head}</caption><tbody>{shown}</tbody></table>"
