"""The names of the runtime that compiled code calls.

Compiled code finds them among its builtins, under their name with a percent sign in front, which no Gene
name has. This table is all that a Gene program can reach of Python.
"""

from __future__ import annotations

from gene.data.atoms import BIT_TYPES, NOT_FOUND, VOID
from gene.data.kinds import ANY, load
from gene.runtime import (
    calls,
    checks,
    definitions,
    environments,
    failures,
    loops,
    modules,
    operators,
    paths,
    quoting,
)
from gene.runtime.classes import allocate, maker
from gene.runtime.equality import equal
from gene.runtime.iteration import iterate, iterate_pairs, start_generator
from gene.runtime.methods import method_table, send_computed, tail_table
from gene.runtime.namespaces import open_namespace
from gene.runtime.text import interpolate, to_s
from gene.runtime.typetests import Union, is_instance

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any


def _frozen_array(items: list[Any]) -> Any:
    from gene.data.frozen import FrozenArray

    return FrozenArray(items)


def _frozen_map(items: dict[str, Any]) -> Any:
    from gene.data.frozen import FrozenMap

    return FrozenMap(items)


_LATER: dict[str, str] = {
    "adapt": "interfaces:adapt",
    "await_futures": "futures:await_futures",
    "dynamic_step": "selectors:dynamic_step",
    "implement": "interfaces:implement",
    "is_failure": "enums:is_failure",
    "is_variant": "enums:is_variant",
    "make_enum": "enums:make_enum",
    "make_interceptor": "interception:make_interceptor",
    "make_interface": "interfaces:make_interface",
    "make_selector": "selectors:make_selector",
    "matches_case": "enums:matches_case",
    "run_async": "futures:run_async",
    "select": "selectors:select",
    "set_selected": "selectors:set_selected",
    "unhandled": "enums:unhandled",
    "unwrap": "enums:unwrap",
}
"""Functions of modules that are loaded when a program first calls one."""

_NAMES: dict[str, Any] = {
    "Exception": Exception,
    "allocate": allocate,
    "any_type": lambda: ANY,
    "and": operators.and_,
    "bit_types": BIT_TYPES,
    "bool": bool,
    "bounce": calls.bounce,
    "call_macro": environments.call_macro,
    "can_unpack": paths.can_unpack,
    "can_unpack_key": paths.can_unpack_key,
    "can_unpack_rest": paths.can_unpack_rest,
    "caught": failures.caught,
    "check_result": checks.check_result,
    "check_variable": checks.check_variable,
    "coerce": checks.coerce,
    "contract_failed": checks.contract_failed,
    "concatenate": operators.concatenate,
    "count": loops.count,
    "current_exception": failures.current_exception,
    "decode": quoting.decode,
    "describe": calls.describe,
    "dict": dict,
    "drive": calls.drive,
    "environment": environments.Environment,
    "caller_evaluate": environments.caller_evaluate,
    "environment_value": environments.environment_value,
    "environment_get": environments.environment_get,
    "environment_set": environments.environment_set,
    "equal": equal,
    "evaluate": environments.evaluate,
    "exception": failures.exception,
    "exception_class": failures.exception_class,
    "existing_namespace": modules.existing_namespace,
    "exclusive_or": operators.exclusive_or,
    "export_only": modules.export_only,
    "float": float,
    "frozen_array": _frozen_array,
    "frozen_hash_map": quoting.frozen_hash_map,
    "frozen_map": _frozen_map,
    "gene_maker": quoting.gene_maker,
    "get": paths.get,
    "get_dynamic": paths.get_dynamic,
    "get_existing": paths.get_existing,
    "get_index": paths.get_index,
    "get_or_index": paths.get_or_index,
    "greater": operators.greater,
    "greater_equal": operators.greater_equal,
    "hash_map": quoting.hash_map,
    "import_all": modules.import_all,
    "import_name": modules.import_name,
    "int": int,
    "interpolate": interpolate,
    "is_instance": is_instance,
    "is_main": modules.is_main,
    "iterate": iterate,
    "iterate_pairs": iterate_pairs,
    "join_strings": operators.join_strings,
    "less": operators.less,
    "less_equal": operators.less_equal,
    "list": list,
    "make_class": definitions.make_class,
    "make_gene": environments.make_gene,
    "maker": maker,
    "make_range": loops.make_range,
    "make_union": Union,
    "missing": calls.MISSING,
    "missing_keyword": calls.missing_keyword,
    "matches": isinstance,
    "negate": operators.negate,
    "note_members": modules.note_members,
    "not": operators.not_,
    "not_found": NOT_FOUND,
    "open_namespace": open_namespace,
    "or": operators.or_,
    "overflow": operators.overflow,
    "render": environments.render,
    "send_computed": send_computed,
    "set": paths.set_,
    "shift_left": operators.shift_left,
    "shift_right": operators.shift_right,
    "split_rest": calls.split_rest,
    "spread": calls.spread,
    "spread_map": calls.spread_map,
    "start_generator": start_generator,
    "str": str,
    "strict": paths.strict,
    "super_method": definitions.super_method,
    "tail": calls.TAIL,
    "text_types": frozenset({int, str}),
    "times": loops.times,
    "to_s": to_s,
    "too_few": calls.too_few,
    "type": type,
    "unpack": paths.unpack,
    "unpack_key": paths.unpack_key,
    "unpack_rest": paths.unpack_rest,
    "void": VOID,
    **operators.ARITHMETIC,
}

_EXACT: dict[str, type] = {"list": list, "dict": dict, "str": str}
_TAILS = ("%drive:", "%bounce:")
RUNTIME: dict[str, Any] = {"%" + name: value for name, value in _NAMES.items()}
"""What compiled code can call, under the names that it uses."""


def mentioned(code: CodeType) -> set[str]:
    """All global names in a code object and in the functions inside of it."""
    names: set[str] = set()
    waiting = [code]
    while waiting:
        each = waiting.pop()
        names.update(each.co_names)
        waiting += [constant for constant in each.co_consts if type(constant) is type(code)]
    return names


def link(names: set[str], builtins: dict[str, Any]) -> None:
    """Put the method tables and rarer functions that compiled code mentions among its builtins."""
    for name in names:
        if name.startswith("%") and name not in builtins:
            if name.startswith("%m:"):
                method, at, exact = name[3:].rpartition("@")
                exactly = _EXACT.get(exact) if at else None
                builtins[name] = method_table(name[3:]) if exactly is None else method_table(method)[exactly]
            elif name.startswith(_TAILS):
                how, _, method = name[1:].partition(":")
                builtins[name] = tail_table(method, how)
            elif name[1:] in _LATER:
                builtins[name] = _later(name, builtins)


def _later(name: str, builtins: dict[str, Any]) -> Callable[..., Any]:
    """What loads a function and takes its place with it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        found = builtins[name] = load("gene.runtime." + _LATER[name[1:]])
        return found(*args, **kwargs)

    return call
