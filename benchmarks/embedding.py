"""What it costs to call Gene from Python and to evaluate a line."""

from __future__ import annotations

from timeit import repeat

from gene.interpreter import Interpreter


def add(a, b):
    return a + b


def best(function, number: int) -> float:
    """Microseconds of one call."""
    return min(repeat(function, number=number, repeat=7)) / number * 1e6


def main() -> None:
    """Print the table."""
    gene = Interpreter()
    gene.eval("(fn add [a b] (a + b)) (var x 4)")
    gene_add = gene.get("add")
    python = best(lambda: add(1, 2), 100_000)
    called = best(lambda: gene_add(1, 2), 100_000)
    print(f"{'a call from Python':<34}{'µs':>8}{'aim':>12}")
    print(f"{'of a Python function':<34}{python:>8.2f}")
    print(f"{'of a Gene function':<34}{called:>8.2f}{f'< {python + 1:.2f}':>12}")
    print(f"{'eval of (x + 1)':<34}{best(lambda: gene.eval('(x + 1)'), 300):>8.0f}{'< 200':>12}")


if __name__ == "__main__":
    main()
