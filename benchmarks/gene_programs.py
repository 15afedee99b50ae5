"""How fast Gene programs run, in multiples of the same programs written in Python by hand.

Each program runs in turn with its twin, several times in one session; the figure is the ratio of the best CPU times.
Compiling is not part of it.
"""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from time import process_time

from benchmarks import twins
from gene.interpreter import Interpreter

PROGRAMS = Path(__file__).parent / "programs"
ROUNDS = 7

AIMS = {
    "fib27": 3.0,
    **dict.fromkeys(
        [
            "while_sum_1m_fn",
            "loop_sum_1m",
            "for_range_1m",
            "map_path_1m",
            "closure_300k",
            "method_300k",
            "str_interp_100k",
            "array_100k",
            "case_literals_200k",
            "instances_200k",
            "json_2k",
        ],
        2.5,
    ),
    **dict.fromkeys(["generator_300k", "hashset_100k", "match_200k"], 3.0),
    **dict.fromkeys(["enum_100k", "hashmap_100k", "sort_50k"], 3.5),
    "string_build_100k": 4.0,
    "exceptions_100k": 6.0,
    "macro_100k": 7.0,
    "macro_render_20k": 60.0,
}
"""The ratios that a program is to stay below.

A call of a macro makes functions that evaluate its arguments and a table of the caller's variables; a macro that
makes code pays for making it and for finding what was compiled of it before. Their Python twins call a function
with two lambdas, which no macro can equal.
"""


def gene_function(path: Path):
    """The program as a function, and what it prints."""
    lines = path.read_text(encoding="utf-8").rstrip()
    definitions, _, last = lines.rpartition("\n")
    expression = last.removeprefix("(println ").removesuffix(")")
    module = Interpreter(capabilities=()).run_text(f"{definitions}\n(fn benchmark_main [] {expression})")
    return module.get("benchmark_main")


def best_times(*functions) -> list[float]:
    """The best CPU seconds of each, run in turn."""
    best = [float("inf")] * len(functions)
    for _ in range(ROUNDS):
        for number, function in enumerate(functions):
            start = process_time()
            function()
            best[number] = min(best[number], process_time() - start)
    return best


def main() -> None:
    """Print the table; ``BENCHMARK=part-of-a-name`` picks programs."""
    chosen = os.environ.get("BENCHMARK", "")
    print(f"{'program':<20}{'Python ms':>9}{'Gene ms':>9}{'ratio':>7}{'aim':>6}")
    for path in sorted(PROGRAMS.glob("*.gene")):
        if chosen not in path.stem:
            continue
        twin, function = getattr(twins, path.stem), gene_function(path)
        with contextlib.redirect_stdout(io.StringIO()):
            assert function() == twin(), f"{path.stem}: Gene gives {function()}, Python {twin()}"
        python, gene = best_times(twin, function)
        ratio, aim = gene / python, AIMS[path.stem]
        print(f"{path.stem:<20}{python * 1000:>9.1f}{gene * 1000:>9.1f}{ratio:>7.2f}{aim:>6}")


if __name__ == "__main__":
    main()
