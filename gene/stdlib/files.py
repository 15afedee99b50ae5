"""Files: ``gene/io`` and ``File``. Text is UTF-8, and line ends stay as they are."""

from __future__ import annotations

from gene.data.kinds import Kind
from gene.runtime.exceptions import ArgumentException, IOException
from gene.stdlib.arguments import MISSING, callback

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader
    from typing import Any, Final, NoReturn


def read(path: Any = MISSING) -> str:
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


def write(path: Any = MISSING, text: Any = MISSING) -> None:
    """``(File/write path text)``: replace the text of a file, or make the file."""
    _store(path, text, "wb", "write")


def append(path: Any = MISSING, text: Any = MISSING) -> None:
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


def exists(path: Any = MISSING) -> bool:
    """``(File/exists path)``: whether there is a file, not a directory, of that name."""
    from os.path import isfile

    return isfile(_check_path(path, "File/exists"))


def delete(path: Any = MISSING) -> bool:
    """``(File/delete path)``: remove a file.

    Returns:
        Whether there was one to remove.
    """
    from os import unlink

    _check_path(path, "File/delete")
    try:
        unlink(path)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        _fail("delete", path, error)
    return True


def read_lines(path: Any = MISSING) -> list[str]:
    """``(File/read_lines path)``: the lines of a file without their ends."""
    _check_path(path, "File/read_lines")
    lines = read(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def each_line(path: Any = MISSING, function: Any = MISSING) -> None:
    """``(File/each_line path fn)``: call fn with each line of a file, read one at a time."""
    _check_path(path, "File/each_line")
    call = callback(function, "File/each_line")
    lines = FileReader(path)
    try:
        line = lines.read_line()
        while line is not None:
            call(line)
            line = lines.read_line()
    finally:
        lines.close()


class FileReader:
    """A file that is read line by line.

    Args:
        path: The path, a String.
    """

    __slots__ = ("_file", "_path")

    def __init__(self, path: Any) -> None:
        self._file: BufferedReader | None = None
        self._path: str = _check_path(path, "File/reader")
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

    __del__ = close  # one that a program forgets; Python would warn of it

    def _read(self, how: Callable[[BufferedReader], bytes]) -> str:
        assert self._file is not None
        try:
            return how(self._file).decode()
        except (OSError, ValueError) as error:
            _fail("read", self._path, error)


def reader(path: Any = MISSING) -> FileReader:
    """``(File/reader path)``: a file to read line by line."""
    return FileReader(path)


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
    message = f"Failed to {action} file '{path}': "
    if isinstance(error, UnicodeDecodeError):
        raise IOException(f"{message}not UTF-8 text (byte {error.start})") from None
    if isinstance(error, UnicodeEncodeError):
        what = f"character {error.start} is a lone surrogate, which UTF-8 cannot express"
        raise IOException(message + what) from None
    if not isinstance(error, OSError):  # Python's ValueErrors here: a null character, or a closed file
        raise IOException(message + str(error)) from None
    reason = str(error.strerror)
    raise IOException(
        message + (reason if action == "delete" else f"cannot open: {path}"), hint=reason
    ) from None
