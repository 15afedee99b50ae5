"""How fast text becomes forms: data, code, single lines, and how long the parser takes to get ready.

The data are records as in a log of calls; the code is what tool programs look like. Both are about 1 MB and made
in memory, always the same.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from time import perf_counter

from gene.reader import read_all

SIZE = 1_000_000

CODE = """
# Counts the words of a text file below the root directory.
(fn $ns/register_word_count_tool_NN [register_tool log root]
  (register_tool "word_count"
    "Count words of a text file below the root directory"
    {^type "object"
     ^properties {^path {^type "string" ^description "relative path"}
                  ^min  {^type "integer"}}
     ^required ["path"]}
    (fn [args]
      (var rel ((args/path || "") .to_s))             # missing -> void -> "" -> String
      (if rel/.empty? (return {^error "Missing path"}))
      (if ((rel .starts_with "/") || (rel .include? ".."))
        (return {^error "Path must stay below the root"}))
      (var smallest (args .get "min" 1))
      (try
        (var text (gene/io/read #"#{root}/#{rel}"))
        (var words ((text .split #/\\s+/) .filter (fn [w] (w/.length >= smallest))))
        (log .info #"word_count #{rel}: #{words/.size}")
        {^path rel ^count words/.size}
      catch *
        {^error #"Cannot read: #{$ex/message}"}))))

(fn fib_NN [n] (if (n < 2) n else ((fib_NN (n - 1)) + (fib_NN (n - 2)))))
(fn sum_to_NN [limit step]
  (var i 0) (var total 0.5)
  (while (i < limit)
    (if (((i % 3) == 0) && (i > 10)) (total += (i * step)) else (total -= 1))
    (i += 1))
  (for item in [1 2 3 "four" [5 6]] (println item total; .to_s; .trim))
  total)
"""


def word(size: int) -> str:
    letters = "".join(random.choice("abcdefghijklmnopqrstuvwxyz ") for _ in range(size))
    return letters.strip() or "x"


def record(number: int) -> str:
    """One record: nested maps and arrays, strings, numbers of both kinds, booleans and nil."""
    tags = " ".join(f'"{word(8)}"' for _ in range(random.randint(2, 6)))
    scores = " ".join(str(random.randint(-(10**6), 10**6)) for _ in range(random.randint(3, 8)))
    coords = " ".join(f"{random.uniform(-100, 100):.4f}" for _ in range(3))
    active = random.choice(["true", "false"])
    return (
        f'  {{^id {number} ^name "{word(12)}" ^active {active} ^parent nil ^tags [{tags}]\n'
        f"   ^pos {{^x {random.randint(0, 999)} ^y {random.random():.3f}"
        f' ^inner {{^depth 3 ^list [[1 2] [3 [4 5]] {{^k "{word(6)}"}}]}}}}\n'
        f'   ^scores [{scores}] ^coords [{coords}] ^text "{word(60)}"}}\n'
    )


def data_text(size: int = SIZE) -> str:
    """An array of records."""
    random.seed(7)
    records: list[str] = []
    length = 0
    while length < size:
        records.append(record(len(records)))
        length += len(records[-1])
    return "[\n" + "".join(records) + "]\n"


def code_text(size: int = SIZE) -> str:
    """Functions of tool programs, one after the other."""
    return "".join(CODE.replace("NN", str(number)) for number in range(size // len(CODE) + 1))


def best(action, runs: int) -> float:
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        action()
        times.append(perf_counter() - start)
    return min(times)


def start_up(statement: str) -> float:
    """How many seconds a statement takes in a new interpreter, beyond what an empty one takes."""

    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # modules that are compiled anew tell nothing

    def run(code: str) -> float:
        return best(lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment), 20)

    return run(statement) - run("pass")


def main() -> None:
    for name, text in (("data", data_text()), ("code", code_text())):
        seconds = best(lambda text=text: read_all(text), 5)
        print(f"{name:<28}{len(text) / seconds / 1e6:8.2f} MB/s")
    line = "(var words ((text .split #/\\s+/) .filter (fn [w] (w/.length >= smallest))))"
    print(f"{'one line':<28}{best(lambda: read_all(line), 2000) * 1e6:8.1f} µs")
    print(
        f"{'deep nesting (100,000)':<28}{best(lambda: read_all('(' * 100_000 + ')' * 100_000), 3) * 1e3:8.1f} ms"
    )
    print(f"{'import re':<28}{start_up('import re') * 1e3:8.1f} ms")
    print(
        f"{'first read':<28}{start_up('from gene.reader import read_all; read_all(chr(40)+chr(41))') * 1e3:8.1f} ms"
    )
    print(f"{'import lark':<28}{start_up('import lark') * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
