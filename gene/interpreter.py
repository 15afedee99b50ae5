"""The interpreter: the API to embed Gene in a Python program."""

from __future__ import annotations

import os
import sys

from gene.data.atoms import VOID
from gene.data.names import python_name
from gene.data.source import Source
from gene.imports import Imports
from gene.options import Options
from gene.pieces import Pieces
from gene.runtime import recursion
from gene.runtime.loops import make_range
from gene.runtime.modules import Module
from gene.runtime.namespaces import Namespace
from gene.runtime.support import RUNTIME
from gene.stdlib.capabilities import check
from gene.stdlib.globals import make_globals, provide

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import CodeType
    from typing import Any

    from gene.runtime.environments import Environment
    from gene.runtime.metering import Limits, Meter


_EVENTS = "gene.runtime.events"
"""The module that is loaded once a program uses futures; before that there is nothing to wait for."""


class Interpreter:
    """A Gene interpreter with globals and modules of its own.

    Values cross without conversion: nil is None, arrays are lists, maps are dicts with string keys, and a
    Gene function is a Python function. Any Python callable can be defined as a Gene function.

    Args:
        capabilities: What programs may do beyond computing, such as "files" or "shell"; see
            :data:`gene.stdlib.capabilities.ALL`. Nothing is granted unless it is named.
        args: The program's arguments, ``$args``.
        program: What the program was started as, ``$program``.
        recursion_limit: Python's recursion limit is raised to this number of frames, for the whole process,
            since deep recursion is part of the language; None leaves it alone. See
            :func:`gene.runtime.recursion.allow` for what Python 3.11 needs besides.
        type_check: Whether the compiler looks for mistakes of types: what cannot be right is refused, what
            is most likely wrong is warned of. Declared types are checked at run time in any case.
        strict_nil: Whether nil passes only declared types that name it. Otherwise it passes them all.
        contracts: Whether the conditions ``^pre`` and ``^post`` of functions are checked.
        cache: What becomes of compiled files: "use" those in ``__pycache__`` and write them; "renew" only
            writes them; "off" does neither.
        package: The root of the package in which programs run, wherever their files are: ``$pkg``, and where
            modules and other packages are looked for. None for the package around each file.
        limits: What each :meth:`eval`, :meth:`run` and :meth:`call` may spend before it is stopped by a
            :class:`~gene.errors.LimitError`, also where threads call at the same time. What stays to be
            done when it returns draws on what is left.

    Raises:
        ValueError: A capability or a mode of the cache that does not exist.
        GeneException: ``package`` is no package.

    Attributes:
        main: The module that :meth:`eval` runs in.
    """

    def __init__(
        self,
        *,
        capabilities: Iterable[str] = (),
        args: Iterable[str] = (),
        program: str = "",
        recursion_limit: int | None = recursion.LIMIT,
        type_check: bool = True,
        strict_nil: bool = False,
        contracts: bool = True,
        cache: str = "use",
        package: str | os.PathLike[str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        if recursion_limit is not None:
            recursion.allow(recursion_limit)
        self._capabilities = check(capabilities)
        granted = make_globals(capabilities=self._capabilities, args=args, program=program, complete=False)
        self._builtins: dict[str, Any] = {**granted, **RUNTIME, "%gene": self, "range": make_range}
        self._builtins["%dollar"] = self._dollar
        self._builtins["%set_dollar"] = self._set_dollar
        self._builtins["%import_path"] = self._import_path
        self._builtins["%need"] = self._need
        self._builtins["%contracts"] = contracts
        if strict_nil:
            from gene.runtime.strict import STRICT

            self._builtins.update(STRICT)
        self._options = Options(
            type_check=type_check,
            strict_nil=strict_nil,
            metered=limits is not None,
            environment=os.environ if "environment" in self._capabilities else None,
        )
        self._meter = None if limits is None else self._limit(limits)
        imports = Imports(self._run_module, package, files="files" in self._capabilities)
        self._builtins["%import_module"] = imports.module
        self._builtins["%depend"] = imports.declare
        self._builtins["%package"] = imports.package
        self._modules = imports.modules
        self._pieces = Pieces(self._builtins, self._options, _cache_mode(cache))
        self.main = self._prepare(Module("main"))
        self.main.main = True

    @property
    def warnings(self) -> list[Any]:
        """What the compiler warned of, for everything compiled so far."""
        return self._pieces.warnings

    @warnings.setter
    def warnings(self, warnings: list[Any]) -> None:
        self._pieces.warnings = warnings

    # -- running -------------------------------------------------------------------------------------

    def eval(self, text: str, name: str = "<eval>") -> Any:
        """Evaluate Gene text in the main module.

        Args:
            text: Any number of forms.
            name: What errors call the text.

        Returns:
            The value of the last form, nil when there is none.

        Raises:
            GeneSyntaxError: The text cannot be read.
            GeneCompileError: It cannot be compiled; nothing of it has run.
            GeneException: It threw, and nothing caught it.
        """
        piece = self._pieces.text(text, name, self.main.constants)
        members = self.main.members
        members[piece.name] = piece.source
        value = self._execute(piece.code, self.main)
        if not piece.lasting:
            members.pop(piece.name, None)
        self.drain(0)
        return value

    def run(self, path: str | os.PathLike[str]) -> Module:
        """Run a ``.gene`` file as the main program, up to the last callback, timer and message.

        Args:
            path: The file.

        Returns:
            The module: what it defines are its members.

        Raises:
            FileNotFoundError: There is no such file.
            GeneSyntaxError: The file cannot be read.
            GeneCompileError: It cannot be compiled; nothing of it has run.
            GeneException: It threw, and nothing caught it.
        """
        module = Module(os.path.splitext(os.path.basename(path))[0], os.fspath(path))
        module.main = True
        self._modules.running(module)
        self._to_the_end(lambda: self._run_module(module))
        return module

    def load(self, path: str | os.PathLike[str], members: dict[str, Any], name: str) -> Module:
        """Run a ``.gene`` file as a module whose members are kept in a dict of the host.

        Imports of the same file by other Gene modules find this one.

        Args:
            path: The file.
            members: What gets the members, such as the namespace of a Python module.
            name: The module's name.

        Returns:
            The module.

        Raises:
            FileNotFoundError: There is no such file.
            GeneError: As :meth:`run` does.
        """
        module = Module(name, os.fspath(path))
        module.members = members
        self._modules.run(module, os.path.realpath(path))
        return module

    def imported(self) -> list[str]:
        """The files of the modules that programs have imported so far, and those that :meth:`load` ran."""
        return self._modules.files()

    def run_text(
        self, text: str, name: str = "<stdin>", result: Callable[[Any], object] | None = None
    ) -> Module:
        """Run the text of a whole program, with its definitions first as in a file.

        Args:
            text: The program.
            name: What errors call it.
            result: Called with the value of what runs last, before callbacks and timers that are left.

        Returns:
            The module: what it defines are its members.

        Raises:
            GeneError: As :meth:`run` does.
        """
        module = self._prepare(Module(name))
        module.main = True
        source = Source(text, name)
        module.members["%source0"] = source
        code = self._pieces.program(source)

        def program() -> None:
            value = self._execute(code, module)
            if result is not None:
                result(value)

        self._to_the_end(program)
        return module

    def drain(self, timeout: float | None = None) -> bool:
        """Do what programs of this thread started and have not done: callbacks, timers, messages of actors.

        :meth:`run` does so by itself; :meth:`eval` only makes the callbacks that are due.

        Args:
            timeout: Seconds after which to give up; 0 for what is due now, None for no limit.

        Returns:
            Whether nothing is left to do.
        """
        events = sys.modules.get(_EVENTS)
        return events is None or events.drain(timeout)

    def evaluate(self, datum: Any, environment: Environment, *, local: bool) -> Any:
        """The value of a datum at a place in a program; equal data is compiled once.

        Args:
            datum: The datum.
            environment: The place.
            local: Whether what it defines is its own; otherwise that becomes members of the module.
        """
        module = environment.module
        names = frozenset(environment.accessors)
        piece, values = self._pieces.datum(datum, names, module.constants, local=local)
        module.members[piece.name] = piece.source
        return self._execute(piece.code, module, environment.holding(values) if values else environment)

    # -- names ---------------------------------------------------------------------------------------

    def define(self, name: str, value: Any) -> None:
        """Define a global name, for all modules: a value, or a Python callable as a function."""
        self._builtins[python_name(name)] = value

    def namespace(self, name: str, members: Mapping[str, Any]) -> Namespace:
        """Define a global namespace: ``name/member`` in Gene code.

        Returns:
            The namespace, to which members can be added.
        """
        made = Namespace(name, members)
        self.define(name, made)
        return made

    def get(self, name: str) -> Any:
        """The value of a name in the main module, or of a global name.

        Raises:
            KeyError: Nothing has this name.
        """
        value = self.main.get(name)
        if value is not VOID:
            return value
        provide(self._builtins, (name,))
        return self._builtins[python_name(name)]

    def call(self, function: str | Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call a Gene function, so that whatever goes wrong is raised as a Gene exception.

        Gene functions are Python functions and can be called as such; what Python itself finds wrong in them,
        such as an unknown name or too many arguments, is then raised in Python's terms.

        Args:
            function: The function, or its name in the main module.
            *args: Its arguments.
            **kwargs: Its keyword arguments.

        Raises:
            GeneException: It threw.
            KeyError: Nothing has this name.
        """
        called = self.get(function) if isinstance(function, str) else function
        return self._guarded(called, *args, **kwargs)

    def names(self) -> set[str]:
        """The names that code in the main module can use, without the special words."""
        from gene.stdlib.globals import LATER

        known = {*self.main.members, *self._builtins, *LATER}
        return {name for name in known if not name.startswith(("%", "_", "<"))}

    def _to_the_end(self, program: Callable[[], object]) -> None:
        """Run a program and all that it starts, apart from what else this thread has started."""
        events = sys.modules.get(_EVENTS)
        outer = None if events is None else events.enter(None)
        try:
            program()
            self.drain()
        finally:
            events = sys.modules.get(_EVENTS)
            if events is not None:
                events.leave(outer)

    # -- what compiled code asks for -----------------------------------------------------------------

    def _prepare(self, module: Module) -> Module:
        module.members.update({"__builtins__": self._builtins, "__name__": module.name, "%ns": module})
        if module.path is not None:
            module.members["__file__"] = module.path
            module.members["%source0"] = Source(None, module.path)
        return module

    def _run_module(self, module: Module) -> None:
        assert module.path is not None
        self._prepare(module)
        self._execute(self._pieces.file(module.name, module.path), module)

    def _execute(self, code: CodeType, module: Module, place: Environment | None = None) -> Any:
        own: dict[str, Any] = {"%place": place}  # other threads may run code in this module meanwhile
        self._guarded(exec, code, module.members, own)
        module.offered.update(own["%exports"])
        return own["%result"]

    def _need(self, module: Module, names: Iterable[str]) -> None:
        """Load the namespaces of other packages that a program mentions for the first time."""
        for name in names:
            if name not in self._builtins and name not in module.members:
                from gene.plugins import find

                found = find(name)
                if found is not None:
                    self._builtins[name] = found(self)

    def _guarded(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call into a program, within its limits; whatever goes wrong leaves as a Gene error."""
        if self._meter is not None:
            self._meter.enter(self._builtins)
        try:
            return function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is explained
            from gene.runtime.failures import explained

            raise explained(error)  # noqa: B904 - the cause is kept by the translation
        finally:
            if self._meter is not None:
                self._meter.leave()

    def _limit(self, limits: Limits) -> Meter:
        from gene.runtime.metering import Meter
        from gene.stdlib.metered import writers

        meter = Meter(limits)
        self._builtins.update(writers(meter))
        return meter

    def _dollar(self, name: str) -> Any:
        provide(self._builtins, (name,))
        try:
            return self._builtins[python_name(name)]
        except KeyError:
            raise NameError(f"name {name!r} is not defined", name=name) from None

    def _set_dollar(self, name: str, value: Any) -> Any:
        self._builtins[name] = value
        return value

    def _import_path(self, path: str) -> Any:
        from gene.runtime.exceptions import GeneException
        from gene.runtime.paths import get

        first, *rest = path.split("/")
        self._need(self.main, (first,))
        value = self._dollar(first)
        for part in rest:
            value = get(value, part)
        if value is VOID:
            raise GeneException(f"Symbol '{path}' not found in namespace")
        return value


def _cache_mode(cache: str) -> str:
    from gene.loader import CACHE_MODES

    if cache not in CACHE_MODES:
        raise ValueError(f"cache must be one of {', '.join(CACHE_MODES)}, not {cache!r}")
    return cache
