"""The global names of Gene programs.

:func:`make_globals` makes the dict that compiled code runs with as its ``__builtins__``. What nearly every
program uses stands in it at once; the rest, named in ``LATER``, costs a module to load and arrives with
:func:`provide` when a program mentions it. Members of namespaces load themselves on first use.
"""

from __future__ import annotations

import os

from gene.data import kinds
from gene.data.atoms import VOID
from gene.data.kinds import load
from gene.runtime.classes import GeneClass, Instance
from gene.runtime.exceptions import EXCEPTION_CLASSES, GeneException
from gene.runtime.namespaces import NAMESPACE, Namespace
from gene.stdlib import core
from gene.stdlib.capabilities import NEEDS, check, denied

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final

FUNCTIONS: Final[dict[str, Any]] = {
    "assert": core.assert_,
    "exit": core.exit_,
    "flush": core.flush,
    "len": core.length,
    "print": core.print_,
    "println": core.println,
    "readline": core.readline,
    "typeof": core.typeof,
}
"""Functions that are there from the start."""

CLASSES: Final[dict[str, Any]] = {
    "Array": kinds.ARRAY,
    "Bool": kinds.BOOL,
    "Bytes": kinds.BYTES,
    "Class": kinds.CLASS,
    "Float": kinds.FLOAT,
    "Function": kinds.FUNCTION,
    "Gene": kinds.GENE,
    "Int": kinds.INT,
    "Map": kinds.MAP,
    "Nil": kinds.NIL,
    "String": kinds.STRING,
    "Symbol": kinds.SYMBOL,
    **{cls.__gene__.name: cls for cls in EXCEPTION_CLASSES},
    "Namespace": NAMESPACE,
    "Object": Instance,
}
"""Classes that are there from the start."""

_LIB: Final = "gene.stdlib."

LATER: Final = {
    "abs": _LIB + "mathematics:absolute",
    "base64": _LIB + "encoding:base64",
    "base64_decode": _LIB + "encoding:base64_decode",
    "ceil": _LIB + "mathematics:ceil",
    "cwd": _LIB + "system:current_directory",
    "debug": _LIB + "inspection:debug",
    "floor": _LIB + "mathematics:floor",
    "freeze": "gene.runtime.freezing:freeze",
    "get_env": _LIB + "environment:get_env",
    "has_env": _LIB + "environment:has_env",
    "max": _LIB + "mathematics:maximum",
    "min": _LIB + "mathematics:minimum",
    "on_signal": _LIB + "signals:on_signal",
    "parse": _LIB + "serdes:parse",
    "pow": _LIB + "mathematics:pow_",
    "random": _LIB + "randomness:random",
    "random_int": _LIB + "randomness:random_int",
    "round": _LIB + "mathematics:round_",
    "run_forever": _LIB + "asynchronous:run_forever",
    "set_env": _LIB + "environment:set_env",
    "sleep": _LIB + "waiting:sleep",
    "sqrt": _LIB + "mathematics:sqrt",
    "stderr": _LIB + "streams:STDERR",
    "stdin": _LIB + "streams:STDIN",
    "stdout": _LIB + "streams:STDOUT",
    "stop_scheduler": _LIB + "asynchronous:stop_scheduler",
    "types_equivalent": _LIB + "inspection:types_equivalent",
    "Char": "gene.data.kinds:CHAR",
    "Date": "gene.data.temporal:DATE",
    "DateTime": "gene.data.temporal:DATE_TIME",
    "Future": "gene.runtime.futures:FUTURE",
    "Generator": "gene.runtime.iteration:GENERATOR",
    "HashMap": "gene.runtime.hashed:HASH_MAP",
    "HashSet": "gene.runtime.hashed:HASH_SET",
    "Range": "gene.runtime.ranges:RANGE",
    "Ok": "gene.runtime.enums:OK",
    "Err": "gene.runtime.enums:ERR",
    "Some": "gene.runtime.enums:SOME",
    "%None": "gene.runtime.enums:NONE",
    "Result": "gene.runtime.enums:RESULT",
    "Option": "gene.runtime.enums:OPTION",
    "Regexp": "gene.data.regex:REGEX",
    "Time": "gene.data.temporal:TIME",
}
"""Where the global names are that are loaded when a program mentions them."""

_FILE: Final = {
    "append": _LIB + "files:append",
    "delete": _LIB + "files:delete",
    "each_line": _LIB + "files:each_line",
    "exists": _LIB + "files:exists",
    "read": _LIB + "files:read",
    "read_lines": _LIB + "files:read_lines",
    "reader": _LIB + "files:reader",
    "write": _LIB + "files:write",
}
_DIR: Final = {
    "create": _LIB + "directories:create",
    "delete": _LIB + "directories:delete",
    "exists": _LIB + "directories:exists",
    "list": _LIB + "directories:entries",
}
_MATH: Final = ("abs", "min", "max", "floor", "ceil", "round", "sqrt", "pow", "random", "random_int")

NAMESPACES: Final[dict[str, dict[str, str]]] = {
    "File": _FILE,
    "Dir": _DIR,
    "gene": {
        "Future": LATER["Future"],
        "now": _LIB + "clock:now",
        "parse": LATER["parse"],
        "sleep": LATER["sleep"],
        "sleep_async": _LIB + "asynchronous:sleep_async",
        "today": _LIB + "clock:today",
        "tomorrow": _LIB + "clock:tomorrow",
        "yesterday": _LIB + "clock:yesterday",
    },
    "gene/actor": {"enable": _LIB + "actors:enable", "spawn": _LIB + "actors:spawn"},
    "gene/io": {
        "read": _FILE["read"],
        "read_async": _LIB + "asynchronous:read_async",
        "write": _FILE["write"],
        "write_async": _LIB + "asynchronous:write_async",
    },
    "gene/json": {
        "deserialize": _LIB + "json_tags:deserialize",
        "serialize": _LIB + "json_tags:serialize",
        "parse": _LIB + "json:parse",
        "stringify": _LIB + "json:stringify",
    },
    "gene/serdes": {
        "deserialize": _LIB + "serdes:deserialize",
        "read_tree": _LIB + "serdes:read_tree",
        "serialize": _LIB + "serdes:serialize",
        "write_tree": _LIB + "serdes:write_tree",
    },
    "genex": {},
    "genex/html": {name: f"{_LIB}html:{name}" for name in ("document", "escape", "raw", "render")},
    "genex/http": {
        "http_get": _LIB + "http:http_get",
        "http_post": _LIB + "http:http_post",
        "http_request": _LIB + "http:http_request",
        "respond": _LIB + "http_server:respond",
        "start_server": _LIB + "http_server:start_server",
    },
    "genex/logging": {"Logger": _LIB + "loggers:LOGGER"},
    "genex/sqlite": {
        "ConstraintError": _LIB + "sqlite:ConstraintError",
        "Error": _LIB + "sqlite:Error",
        "open": _LIB + "sqlite:open_",
    },
    "genex/test": {
        "Suite": _LIB + "testing:SUITE",
        **{name: f"{_LIB}testing:{name}" for name in ("check", "check_equal", "check_throws", "fail")},
    },
    "io": {
        "path_abs": _LIB + "paths:absolute",
        "path_basename": _LIB + "paths:basename",
        "path_dirname": _LIB + "paths:dirname",
        "path_ext": _LIB + "paths:extension",
        "path_join": _LIB + "paths:join",
    },
    "math": {
        **{name: LATER[name] for name in _MATH},
        **{name: f"{_LIB}mathematics:{name}" for name in ("sin", "cos", "tan", "log", "log10", "PI", "E")},
    },
    "system": {
        "Process": _LIB + "processes:Process",
        "arch": _LIB + "system:architecture",
        "cd": _LIB + "system:change_directory",
        "cwd": _LIB + "system:current_directory",
        "exec": _LIB + "system:execute",
        "exit": _LIB + "core:exit_",
        "os": _LIB + "system:operating_system",
        "shell": _LIB + "system:shell",
    },
    "time": {"now": _LIB + "clock:seconds", "now_us": _LIB + "clock:microseconds"},
}
"""The namespaces and where their members are. ``a/b`` is the namespace b in a, which stands before it."""

ABSENT: Final = {
    "ai": "the namespace ai/, which has tools, models and conversations",
    "postgres": "genex/sqlite, or functions of the host, since there is no other database",
}
"""Native extensions of the reference implementation that are not part of this one: what to use instead."""


def make_globals(
    *, capabilities: Iterable[str], args: Iterable[str] = (), program: str = "", complete: bool = True
) -> dict[str, Any]:
    """The globals of one interpreter.

    Args:
        capabilities: What the program may do, of :data:`gene.stdlib.capabilities.ALL`.
        args: The program's arguments, for ``$args``.
        program: The name that the program was started by, for ``$program``.
        complete: Whether to load everything at once; otherwise :func:`provide` has to be called with the
            names that a program mentions, before it runs.

    Returns:
        Values by Gene name, a dict of its own for every call.

    Raises:
        ValueError: A name that is no capability.
    """
    granted = check(capabilities)
    arguments = list(args)
    made = {**FUNCTIONS, **CLASSES, **_namespaces(granted, arguments)}
    made.update(_variables(granted, arguments, program))
    for name, capability in NEEDS.items():
        if capability not in granted and "/" not in name and type(made.get(name)) is not Namespace:
            made[name] = _refusal(name, capability)
    provide(made, LATER if complete else ())
    return made


def provide(namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Load those of ``names`` that are global names and not loaded yet.

    Args:
        namespace: What :func:`make_globals` made.
        names: The names that a program mentions, with or without the ``$`` that any global may carry.
    """
    for name in names:
        bare = name.removeprefix("$")
        if bare not in namespace and bare in LATER:
            namespace[bare] = load(LATER[bare])
        if bare in namespace and name not in namespace and not bare.startswith("%"):
            namespace[name] = namespace[bare]


def _namespaces(granted: frozenset[str], arguments: list[str]) -> dict[str, Namespace]:
    """The global namespaces by name, each with the ones inside of it."""
    made: dict[str, Namespace] = {}
    for path, members in NAMESPACES.items():
        outer, _, name = path.rpartition("/")
        made[path] = space = _namespace(path, members, granted)
        if outer:
            made[outer].members[name] = space
    made["genex"].on_missing = _absent
    made["io"].members.update(File=made["File"], Dir=made["Dir"])
    made["system"].members["args"] = lambda: arguments
    return {path: space for path, space in made.items() if "/" not in path}


def _absent(name: Any) -> Any:
    """A member of ``genex`` that is not there; the extensions of the reference are an error that helps."""
    if name not in ABSENT:
        return VOID
    message = f"genex/{name} is an extension of the reference implementation only: use {ABSENT[name]}"
    raise GeneException(message, code="GENE.EXT.LOAD_FAILED")


def _namespace(path: str, members: Mapping[str, str], granted: frozenset[str]) -> Namespace:
    space = Namespace(path, loaders=members)
    for name in members:
        capability = NEEDS.get(f"{path}/{name}") or NEEDS.get(path)
        if capability is not None and capability not in granted:
            del space.loaders[name]
            space.members[name] = _refusal(f"{path}/{name}", capability)
    return space


def _refusal(name: str, capability: str) -> Any:
    """What stands in the place of something that was not granted."""
    refuse = denied(name, capability)
    if name == "$env":
        space = Namespace(name)
        space.on_missing = refuse
        return space
    if name == "stdin":
        from gene.stdlib.streams import IOHandle

        return IOHandle(name, refuse)
    if name == "system/Process":
        made = GeneClass("Process", (Instance,), {"__init__": refuse})
        made.__gene__.members["start"] = refuse
        return made
    return refuse


def _variables(granted: frozenset[str], arguments: list[str], program: str) -> dict[str, Any]:
    """The variables that start with a dollar sign."""
    return {
        "$app": Namespace("app", {"name": program, "args": arguments}),
        "$args": arguments,
        "$env": dict(os.environ) if "environment" in granted else {},
        "$pkg": Namespace("pkg"),
        "$program": program,
        "$vm": Namespace("vm", {"name": "gene"}),
    }
