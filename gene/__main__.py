"""``python -m gene`` is the ``gene`` command."""

from __future__ import annotations

import sys

from gene.cli import main

if __name__ == "__main__":
    sys.exit(main())
