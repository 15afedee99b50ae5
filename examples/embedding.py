"""Gene inside a Python program: tools written in Gene, called from Python, and the other way round.

    python examples/embedding.py

Values cross without conversion: a Gene map is a dict, an array a list, a function a function.
"""

from __future__ import annotations

import os

from ai_tools.errors import NotFoundError
from ai_tools.registry import ToolRegistry
from gene.errors import GeneError, GeneSyntaxError
from gene.interpreter import Interpreter

PALINDROME = """
(registry .register {
  ^name "is_palindrome"
  ^description "Say whether a text reads the same backwards"
  ^parameters [{^name "text" ^type "string" ^required true}]
  ^handler (fn [args]
    (var letters (args/text .to_lower; .find_all #/[a-z]/; .join))
    (letters == letters/.reverse))
})
"""

ENDLESS = """
(registry .register "spin"
  ^description "Work without end"
  ^timeout 0.1
  ^handler (fn [args] (while true (try (while true) catch * nil))))
"""

PRICES = os.path.join(os.path.dirname(__file__), "prices.gene")


def price_of(name: str) -> int:
    """Return the price of an article."""
    return {"tea": 4, "scone": 3}[name]


def main() -> None:
    """Show each direction once."""
    # A program may do nothing to the outside unless it is granted: Interpreter(capabilities={"files"}).
    gene = Interpreter()
    registry = ToolRegistry(timeout=1)
    gene.define("registry", registry)
    gene.define("price_of", price_of)

    print("Tools from a text and from a file:")
    gene.eval(PALINDROME)
    prices = gene.run(PRICES)

    @registry.tool
    def shout(text: str) -> str:
        """Return a text in capitals."""
        return text.upper() + "!"

    print(" ", ", ".join(registry.names()))

    print("Gene tools, called from Python:")
    print(" ", registry.call("is_palindrome", {"text": "Never odd or even"}).value)
    print(" ", registry.call("total", {"items": [{"name": "tea", "count": 2}, {"name": "scone"}]}).value)

    print("A Python tool, called from Gene:")
    print(" ", gene.eval('(registry .execute "shout" {^text "hello"})'))

    print("A Gene function, called like any other:")
    discount = prices.get("discount")
    print(" ", discount(50), discount(50, 20))

    print("What a model gets to read when it errs:")
    print(" ", registry.execute("total", {"items": [{"count": 2}]}))
    print(" ", registry.execute("totals", {"items": []}))
    gene.eval(ENDLESS)
    print(" ", registry.execute("spin"))

    print("The same for the program, typed:")
    try:
        registry.call("totals", {"items": []}).raise_for_error()
    except NotFoundError as error:
        print(" ", error.code, error.tool, error.suggestion)

    print("Errors of Gene programs, in Python:")
    for text in ("(1 + ", "(undefined_name)", '(throw "boom")'):
        try:
            gene.eval(text, "example.gene")
        except GeneSyntaxError as error:
            print("  cannot be read:", error)
        except GeneError as error:
            print("  failed:", error)

    print("What was not granted:")
    try:
        gene.eval('(gene/io/read "/etc/passwd")')
    except GeneError as error:
        print(" ", error)


if __name__ == "__main__":
    main()
