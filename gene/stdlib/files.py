"""Files: ``gene/io`` and ``File``. Text is UTF-8, and line ends stay as they are."""

# ruff: noqa: PTH108, PTH113, PTH123 - pathlib takes 5 ms to import

from __future__ import annotations

from gene.runtime.exceptions import ArgumentException, IOException
from gene.runtime.kinds import Kind, kind_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader
    from typing import Any, Final, NoReturn

_MISSING: Final = object()


def read(path: Any = _MISSING) -> str:
    """``(File/read path)``: the whole text of a file.

    Raises:
        IOException: The file cannot be read, or is not UTF-8 text.
    """
    _check_path(path, "File/read")
    try:
        with open(path, "rb") as file:
            return file.read().decode()
    except (OSError, ValueError) as error:
        _fail("read", path, error)


def write(path: Any = _MISSING, text: Any = _MISSING) -> None:
    """``(File/write path text)``: replace the text of a file, or make the file."""
    _store(path, text, "wb", "write")


def append(path: Any = _MISSING, text: Any = _MISSING) -> None:
    """``(File/append path text)``: add text to the end of a file, or make the file."""
    _store(path, text, "ab", "append")


def _store(path: Any, text: Any, mode: str, action: str) -> None:
    _check_path(path, f"File/{action}")
    if type(text) is not str:
        raise ArgumentException(f"File/{action} requires string content")
    try:
        data = text.encode()
        with open(path, mode) as file:
            file.write(data)
    except (OSError, ValueError) as error:
        _fail("write", path, error)


def exists(path: Any = _MISSING) -> bool:
    """``(File/exists path)``: whether there is a file, not a directory, of that name."""
    from os.path import isfile

    return isfile(_check_path(path, "File/exists"))


def delete(path: Any = _MISSING) -> None:
    """``(File/delete path)``: remove a file."""
    from os import unlink

    _check_path(path, "File/delete")
    try:
        unlink(path)
    except (OSError, ValueError) as error:
        raise IOException(f"Failed to delete file '{path}': {_reason(error)}") from None


def read_lines(path: Any = _MISSING) -> list[str]:
    """``(File/read_lines path)``: the lines of a file without their ends."""
    _check_path(path, "File/read_lines")
    lines = read(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def each_line(path: Any = _MISSING, function: Any = _MISSING) -> None:
    """``(File/each_line path fn)``: call fn with each line of a file, read one at a time."""
    _check_path(path, "File/each_line")
    if not callable(function):
        got = "nothing" if function is _MISSING else kind_of(function).tag
        raise ArgumentException(f"File/each_line callback must be a function, got {got}")
    lines = FileReader(path)
    try:
        line = lines.read_line()
        while line is not None:
            function(line)
            line = lines.read_line()
    finally:
        lines.close()


class FileReader:
    """A file read line by line: what ``(File/reader path)`` gives."""

    __slots__ = ("_file", "_path")

    def __init__(self, path: Any = _MISSING) -> None:
        self._path: str = _check_path(path, "File/reader")
        self._file: BufferedReader | None = None
        try:
            self._file = open(path, "rb")  # noqa: SIM115 - close() closes it
        except (OSError, ValueError) as error:
            _fail("read", path, error)

    def read_line(self) -> str | None:
        """``(reader .read_line)``: the next line without its end, or nil after the last one."""
        data = self._read(lambda file: file.readline())
        if not data:
            return None
        return data.removesuffix("\n").removesuffix("\r")

    def read(self) -> str:
        """``(reader .read)``: everything that has not been read yet."""
        return self._read(lambda file: file.read())

    def close(self) -> None:
        """``(reader .close)``: end reading. Closing twice does no harm."""
        if self._file is not None:
            self._file.close()

    def _read(self, how: Callable[[BufferedReader], bytes]) -> str:
        assert self._file is not None
        try:
            return how(self._file).decode()
        except (OSError, ValueError) as error:
            _fail("read", self._path, error)


READER: Final = Kind(
    "FileReader",
    "VkFileReader",
    FileReader,
    methods={name: getattr(FileReader, name) for name in ("read_line", "read", "close")},
)


def _check_path(path: Any, name: str) -> str:
    if type(path) is not str:
        raise ArgumentException(f"{name} requires a string path")
    return path


def _fail(action: str, path: str, error: OSError | ValueError) -> NoReturn:
    raise IOException(f"Failed to {action} file '{path}': {_reason(error, path)}") from None


def _reason(error: OSError | ValueError, path: str = "") -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text (byte {error.start})"
    if isinstance(error, UnicodeEncodeError):
        return f"character {error.start} is a lone surrogate, which UTF-8 cannot express"
    if isinstance(error, OSError):
        return f"cannot open: {path}" if path else str(error.strerror)
    return "I/O operation on closed file" if "closed" in str(error) else "the path contains a null character"
