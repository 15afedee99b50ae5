"""Flow analysis."""

from __future__ import annotations


def infer(analyzer, body):
    pass
