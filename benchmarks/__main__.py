"""``python -m benchmarks [part…]``: all parts, or those named."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from importlib import import_module

PARTS = ["reading", "gene_programs", "startup", "embedding", "tools", "agent"]


def main() -> int:
    """Run the parts and print their tables."""
    parts = sys.argv[1:] or PARTS
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        print(f"unknown part {unknown[0]}; known are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}")
    for part in parts:
        print(f"\n== {part}")
        import_module(f"benchmarks.{part}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
