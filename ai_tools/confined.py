"""Files inside one directory and nowhere else, whatever a path says and whoever changes the tree meanwhile.

Every step of a path is opened relative to the directory before it and without following links (``openat``
with ``O_NOFOLLOW``). Links are read and walked like any other steps. So what was checked is what is used:
there is no moment in which a directory could be swapped for a link that leads outside.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PATH = 4_096
"""Characters of a path: Linux's own limit."""

MAX_STEPS = 200
"""Steps of a path, those of the links in it included: it ends circles, and each may hold a descriptor."""

# O_PATH, where there is one: a directory on the way need not be readable, as for any other path.
_DIRECTORY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFLNK: "a symbolic link",
}


class Root:
    """A directory that holds all that may be read and written.

    Paths are relative to it, or absolute and inside it. ``..`` and symbolic links are followed as long as
    they stay inside. Hard links and mounts inside the directory belong to it.

    Args:
        path: The directory; it has to exist.

    Raises:
        NotADirectoryError: It does not.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        given = os.path.abspath(path)
        if not os.path.isdir(given):
            raise NotADirectoryError(f"the root {given!r} is not a directory")
        self.path = os.path.realpath(given)
        self._prefixes = {given, self.path}

    def read(self, path: str, limit: int) -> bytes:
        """Return the content of a file.

        Args:
            path: The file.
            limit: Bytes it may have.

        Raises:
            PermissionError: The path leads outside, or the system forbids it.
            OSError: There is no such file, or it is none that can be read.
            ValueError: The path can name no file, or the file is too large.
        """
        with self.parent(path) as (directory, name), open(_open_file(directory, name, path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = b"" if size > limit else file.read(limit + 1)
        if (size := max(size, len(data))) > limit:
            raise ValueError(f"{path!r} has {size:,} bytes; files of up to {limit:,} can be read")
        return data

    def write(self, path: str, data: bytes) -> None:
        """Write a file in one step: whoever reads it sees the old content or the new one.

        Directories on the way are created, and removed again if the file cannot be written.

        Raises:
            PermissionError: The path leads outside, or the system forbids it.
            OSError: It cannot be written.
            ValueError: The path can name no file.
        """
        with self.parent(path, create=True) as (directory, name):
            replace(directory, name, data, path)

    @contextmanager
    def parent(self, path: str, *, create: bool = False) -> Iterator[tuple[int, str]]:
        """Open the directory that holds a file.

        Args:
            path: The file.
            create: Whether to create missing directories.

        Yields:
            A file descriptor, closed afterwards, and the file's name in that directory; the name was no link.
        """
        walk = _Walk(self, path, create=create)
        try:
            yield walk.go()
        except BaseException:
            walk.undo()
            raise
        finally:
            walk.close()

    def steps(self, path: str) -> list[str] | None:
        """Return the names in an absolute path from this directory on, None if it lies elsewhere."""
        for prefix in self._prefixes:
            if path == prefix or path.startswith(prefix.rstrip("/") + "/"):
                return split(path[len(prefix) :])
        return None


class _Walk:
    """One walk from the root to the directory of a file."""

    def __init__(self, root: Root, path: str, *, create: bool) -> None:
        self.root = root
        self.path = path
        self.create = create
        self.left = self._steps(check_path(path))
        try:
            self.held = [os.open(root.path, _DIRECTORY)]  # all that was opened: `made` refers to it
        except OSError as error:
            raise explained(error, root.path) from None
        self.stack = [self.held[0]]  # the directories from the root to here
        self.made: list[tuple[int, str]] = []

    def go(self) -> tuple[int, str]:
        for _ in range(MAX_STEPS):
            if not self.left:
                raise IsADirectoryError(f"{self.path!r} is a directory, not a file")
            if (name := self._step(self.left.pop(0))) is not None:
                return self.stack[-1], name
        raise OSError(f"{self.path!r} has more than {MAX_STEPS} steps, or links in a circle")

    def _step(self, name: str) -> str | None:
        """Take one step; return the name if it is the last one."""
        if name == "..":
            if len(self.stack) == 1:
                raise self._outside()
            self.stack.pop()
        elif (target := self._link(name)) is not None:
            if target.startswith("/"):
                del self.stack[1:]
            self.left = self._steps(target) + self.left
        elif self.left:
            self._enter(name)
        else:
            return name
        return None

    def _steps(self, path: str) -> list[str]:
        steps = self.root.steps(path) if path.startswith("/") else split(path)
        if steps is None:
            raise self._outside()
        return steps

    def _link(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self.stack[-1])
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOENT):  # no link; nothing there
                return None
            raise explained(error, self.path) from None

    def _enter(self, name: str) -> None:
        try:
            entered = self._open(name)
        except FileNotFoundError:
            raise FileNotFoundError(f"{self.path!r} does not exist: no directory {name!r}") from None
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                raise NotADirectoryError(f"{self.path!r}: {name!r} is not a directory") from None
            raise explained(error, self.path) from None
        self.held.append(entered)
        self.stack.append(entered)

    def _open(self, name: str) -> int:
        here = self.stack[-1]
        try:
            return os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
        except FileNotFoundError:
            if not self.create:
                raise
        with suppress(FileExistsError):  # somebody else was faster
            os.mkdir(name, dir_fd=here)
            self.made.append((here, name))
        return os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=here)

    def _outside(self) -> PermissionError:
        return PermissionError(
            f"{self.path!r} leads outside the root directory; give a path relative to it, without leaving it"
        )

    def undo(self) -> None:
        for directory, name in reversed(self.made):
            with suppress(OSError):  # something else is in it by now
                os.rmdir(name, dir_fd=directory)

    def close(self) -> None:
        for descriptor in self.held:
            os.close(descriptor)


def check_path(path: str) -> str:
    """Return a path that can name a file.

    Raises:
        ValueError: It cannot.
        IsADirectoryError: It ends like a directory's.
    """
    if not path:
        raise ValueError("the path is empty; give a file's path")
    if len(path) > MAX_PATH:
        raise ValueError(f"the path has {len(path):,} characters; at most {MAX_PATH:,} are allowed")
    if any(character < " " or character == "\x7f" for character in path):
        raise ValueError(f"the path {path!r} holds a control character")
    try:
        path.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the path {path!r} holds half a surrogate pair") from None
    if path.endswith("/"):
        raise IsADirectoryError(f"{path!r} names a directory, not a file")
    return path


def split(path: str) -> list[str]:
    """Return the names in a path; those that mean nothing are left out."""
    return [name for name in path.split("/") if name not in ("", ".")]


def _open_file(directory: int, name: str, path: str) -> int:
    try:
        _check_regular(os.stat(name, dir_fd=directory, follow_symlinks=False), path)
        # O_NONBLOCK: a pipe that took the file's place since must not block.
        opened = os.open(name, os.O_RDONLY | os.O_NONBLOCK | _FILE, dir_fd=directory)
    except OSError as error:
        raise explained(error, path) from None
    try:
        _check_regular(os.fstat(opened), path)
    except BaseException:
        os.close(opened)
        raise
    return opened


def _check_regular(info: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(info.st_mode):
        kind = _KINDS.get(stat.S_IFMT(info.st_mode), "no file")
        raise (IsADirectoryError if kind == "a directory" else PermissionError)(
            f"{path!r} is {kind}, not a file"
        )


def replace(directory: int, name: str, data: bytes, path: str) -> None:
    """Put a file with new content in the place of the old one, or of none, in one step.

    Args:
        directory: A file descriptor of the directory.
        name: The file's name in it. A link of this name is not followed.
        data: The content.
        path: What errors call the file.

    Raises:
        OSError: It cannot be written. The old content is still there, and nothing else is.
    """
    try:
        _replace(directory, name, data, _mode(directory, name, path))
    except OSError as error:
        raise explained(error, path) from None


def _mode(directory: int, name: str, path: str) -> int | None:
    """Return the permissions of the file to be replaced, None if there is none."""
    try:
        info = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    _check_regular(info, path)
    if not os.access(name, os.W_OK, dir_fd=directory):
        raise PermissionError(f"{path!r} is read-only")
    return stat.S_IMODE(info.st_mode) & 0o777  # as a write would, lose set-user-id


def _replace(directory: int, name: str, data: bytes, mode: int | None) -> None:
    temporary = f".tmp-{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
    opened = os.open(temporary, flags, 0o666 if mode is None else 0o600, dir_fd=directory)
    try:
        with open(opened, "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None:
                os.fchmod(opened, mode)
            os.fsync(opened)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=directory)
        raise


def explained(error: OSError, path: str) -> OSError:
    """Return an error of the system that names the path as it was given; ours say it already."""
    if error.errno is None:
        return error
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(f"{path!r} does not exist")
    return type(error)(f"{path!r}: {os.strerror(error.errno)}")
