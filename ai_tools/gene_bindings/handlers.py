"""Handlers of tools that Gene programs register: defaults are filled in, errors say it in Gene's words."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ai_tools.errors import ToolError
from ai_tools.execution import collect
from ai_tools.gene_bindings import defaults
from gene.runtime.classes import Instance
from gene.runtime.exceptions import GeneException, PermissionException, RuntimeException
from gene.runtime.failures import caught
from gene.runtime.futures import Future, await_futures
from gene.runtime.iteration import Iterator
from gene.runtime.text import is_gene_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai_tools.tool import Tool


MAX_NESTING = 100
"""Tools within tools in one thread. Each level takes C stack, which Gene's recursion limit does not spare."""


def adapt(tool: Tool, *, by_hand: bool) -> None:
    """Put what Gene's handlers need around a tool that was just made.

    Args:
        tool: The tool.
        by_hand: Whether its parameters have the short list form, whose faults are its author's.

    Raises:
        InvalidDefinitionError: A default of the list form is not right.
    """
    if tree := defaults.usable(tool, strict=by_hand):
        tool.invoke = defaults.WithDefaults(tool.invoke, tree)
    if is_gene_function(tool.source) or isinstance(tool.source, Instance):
        tool.invoke = GeneHandler(tool.invoke)


class _Nesting(threading.local):
    depth = 0


_nesting = _Nesting()


class GeneHandler:
    """Calls a Gene function and waits for what it returns."""

    __slots__ = ("func",)

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    def __call__(self, args: dict[str, Any], *context: Any) -> Any:
        """Return the function's value, that of its future, or the items of its generator.

        Raises:
            GeneException: The function failed; the traceback leads to the Gene code that did.
            PermissionError: It lacks a capability.
        """
        if _nesting.depth >= MAX_NESTING:
            raise RuntimeException(f"tools call each other more than {MAX_NESTING} levels deep")
        _nesting.depth += 1
        try:
            value = self.func(args, *context)
            if type(value) is Future:
                value = await_futures(value)
            return collect(item for item in value) if isinstance(value, Iterator) else value
        except PermissionException as error:
            raise PermissionError(str(error)) from error
        except (GeneException, ToolError, PermissionError):  # these say it in words that fit a model
            raise
        except Exception as error:
            raise caught(error) from error
        finally:
            _nesting.depth -= 1
