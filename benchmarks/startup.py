"""How long it takes to start: a script whose code is cached, one that must be compiled, and imports.

The figures are the medians of runs that take turns. They are only true of an installed wheel; an editable install
adds the time of its finder to each.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

ROUNDS = 15
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(*command: str) -> float:
    """Milliseconds of a process."""
    start = perf_counter()
    subprocess.run([sys.executable, *command], env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    return (perf_counter() - start) * 1000


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as directory:
        script = Path(directory, "hello.gene")
        script.write_text('(println "hello" (1 + 2))\n', encoding="utf-8")
        start = f"from gene.cli import main; main(['run', {str(script)!r}])"

        def cold() -> float:
            shutil.rmtree(script.parent / "__pycache__", ignore_errors=True)
            return run("-c", start)

        works = {
            "bare Python": lambda: run("-c", "pass"),
            "a cached script": lambda: run("-c", start),
            "import gene": lambda: run("-c", "import gene"),
            "import attrs": lambda: run("-c", "import attrs"),
            "import ai_tools.registry": lambda: run("-c", "import ai_tools.registry"),
            "a script compiled": cold,
        }
        for work in works.values():
            work()
        times = {name: [] for name in works}
        for _ in range(ROUNDS):
            for name, work in works.items():
                if name == "a cached script":
                    run("-c", start)
                times[name].append(work())
    bare = median(times["bare Python"])
    print(f"{'start of':<26}{'ms':>7}{'× bare':>8}{'aim':>6}")
    aims = {"a cached script": 3, "a script compiled": 10}
    for name, taken in times.items():
        print(f"{name:<26}{median(taken):>7.1f}{median(taken) / bare:>8.1f}{aims.get(name, ''):>6}")


if __name__ == "__main__":
    main()
