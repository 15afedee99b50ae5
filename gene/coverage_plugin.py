"""Coverage.py for Gene: which lines of ``.gene`` files ran, and which did not.

The plugin is switched on where coverage.py is configured, as ``plugins = ["gene.coverage_plugin"]``. Compiled
Gene code has the lines of its file, so there is little to translate: the plugin says which files are Gene and
which of their lines have code. That is what the compiler has made code for; a line with nothing but a literal
has none of its own. Branches are not measured.

The interface is that of https://coverage.readthedocs.io/en/latest/api_plugin.html.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING

from coverage import CoveragePlugin, FileReporter, FileTracer
from coverage.exceptions import CoverageException, NoSource

from gene.compiler.compile import compile_forms
from gene.data.forms import Gene, Quote, Unquote
from gene.data.source import Source
from gene.errors import GeneError
from gene.loader import decode
from gene.options import Options
from gene.reader import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType
    from typing import Any

    from coverage.plugin_support import Plugins
    from coverage.types import TConfigurable

SUFFIX = ".gene"
_OPTIONS = Options(type_check=False, environment=os.environ)
"""What refuses least: the program may have run with any options."""


def coverage_init(registry: Plugins, _options: Any) -> None:
    """What coverage.py calls to load the plugin."""
    plugin = GenePlugin()
    registry.add_file_tracer(plugin)
    registry.add_configurer(plugin)


class GenePlugin(CoveragePlugin):
    """Tells coverage.py which files are Gene."""

    def __init__(self) -> None:
        self._excluding: list[str] = []

    def configure(self, config: TConfigurable) -> None:
        """Note what excludes lines, and choose a way of measuring that knows plugins.

        The one by ``sys.monitoring``, the default from Python 3.14 on, does not; it stays where it is asked
        for by name, and coverage.py warns.
        """
        excluding = config.get_option("report:exclude_lines")
        self._excluding = [str(each) for each in excluding] if isinstance(excluding, list) else []
        if config.get_option("run:core") is None:
            config.set_option("run:core", "ctrace")

    def file_tracer(self, filename: str) -> FileTracer | None:
        """What follows the execution of a file; None for what is not Gene."""
        return GeneFileTracer(filename) if filename.endswith(SUFFIX) else None

    def file_reporter(self, filename: str) -> FileReporter:
        """What knows the lines of a file."""
        return GeneFileReporter(filename, self._excluding)

    def find_executable_files(self, src_dir: str) -> Iterator[str]:
        """The Gene files in a directory, of which none may have run."""
        for directory, inner, files in os.walk(src_dir):
            inner[:] = sorted(name for name in inner if not name.startswith((".", "__pycache__")))
            yield from (os.path.join(directory, name) for name in sorted(files) if name.endswith(SUFFIX))


class GeneFileTracer(FileTracer):
    """Follows the execution of a Gene file, whose frames have its own lines."""

    def __init__(self, filename: str) -> None:
        self._filename = filename

    def source_filename(self) -> str:
        """The file itself."""
        return self._filename


class GeneFileReporter(FileReporter):
    """The lines of a Gene file.

    Args:
        filename: The file.
        excluding: Patterns that exclude a line, and the forms that begin on it, from the report.
    """

    def __init__(self, filename: str, excluding: Iterable[str] = ()) -> None:
        super().__init__(filename)
        self._excluding = "|".join(f"(?:{pattern})" for pattern in excluding)

    def source(self) -> str:
        """The text of the file.

        Raises:
            NoSource: The file cannot be read.
            CoverageException: It is not UTF-8.
        """
        try:
            with open(self.filename, "rb") as file:
                return decode(file.read(), self.filename)
        except OSError as error:
            raise NoSource(f"No source for code: '{self.filename}': {error.strerror}") from None
        except GeneError as error:
            raise self._unreadable(error) from None

    def lines(self) -> set[int]:
        """The lines that have code and are not excluded.

        Raises:
            CoverageException: The file is not Gene.
        """
        # What calls the module's own code, and enters it, stands on line 1 even if nothing else does.
        first = min((line for line, _ in self._forms), default=1)
        return {line for line in self._compiled if line >= first} - self.excluded_lines()

    def excluded_lines(self) -> set[int]:
        """The lines that a pattern excludes, and those of the forms that begin on them."""
        if not self._excluding:
            return set()
        source = Source(self.source(), self.filename)
        found = re.finditer(self._excluding, source.text, re.MULTILINE)
        marked = {source.position(match.start())[0] for match in found}
        return marked.union(*(range(line, last + 1) for line, last in self._forms if line in marked))

    @cached_property
    def _forms(self) -> list[tuple[int, int]]:
        """The first and the last line of every form."""
        return list(_extents(self._read[0]))

    @cached_property
    def _compiled(self) -> set[int]:
        forms, source = self._read
        try:
            code, _ = compile_forms(forms, source, options=_OPTIONS)
        except GeneError as error:
            raise self._unreadable(error) from None
        return set(_lines(code))

    @cached_property
    def _read(self) -> tuple[list[Any], Source]:
        source = Source(self.source(), self.filename)
        try:
            return read_all(source), source
        except GeneError as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: GeneError) -> CoverageException:
        place = f" at line {error.span.line}" if error.span else ""
        return CoverageException(f"Couldn't parse '{self.filename}' as Gene{place}: {error.message}")


def _extents(forms: Iterable[Any]) -> Iterator[tuple[int, int]]:
    """The first and the last line of each form, and of those inside of it."""
    waiting = list(forms)
    while waiting:
        form = waiting.pop()
        source = getattr(form, "source", None)
        if source is not None:
            yield source.position(form.start)[0], source.position(form.end - 1)[0]
        if isinstance(form, Gene):
            waiting += [form.type, *form.props.values(), *form.children]
        elif isinstance(form, list):
            waiting += form
        elif isinstance(form, dict):
            waiting += form.values()
        elif isinstance(form, (Quote, Unquote)):
            waiting.append(form.datum)


def _lines(code: CodeType) -> Iterator[int]:
    """The lines of a code object and of the functions inside of it."""
    waiting = [code]
    while waiting:
        each = waiting.pop()
        yield from (line for _, _, line in each.co_lines() if line)
        waiting += [constant for constant in each.co_consts if isinstance(constant, type(code))]
