"""The built-in tools that read and write files, confined to one directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.confined import Root

if TYPE_CHECKING:
    import os

MAX_READ_BYTES = 10_000_000
"""Bytes of a file that can be read: a hundred times what reaches a model, a fraction of memory."""

MAX_WRITE_BYTES = 10_000_000
"""Bytes of content that can be written: what can be read again."""

_PATH = {"type": "string", "description": "Path of the file, relative to the root directory."}


class ReadFileTool:
    """Reads text files below one directory, and binary files as base64.

    Args:
        root: The directory; nothing outside it can be reached. See `ai_tools.confined`.
        max_bytes: Bytes that a file may have.

    Raises:
        NotADirectoryError: The root is none.
    """

    name = "read_file"
    description = "Read a file and return its content as text."
    annotations = {"readOnlyHint": True, "openWorldHint": False}  # noqa: RUF012 - never changed
    parameters = {  # noqa: RUF012 - never changed
        "type": "object",
        "properties": {
            "path": _PATH,
            "encoding": {
                "type": "string",
                "description": 'Text encoding, "utf-8" if left out; "base64" returns binary files as base64.',
            },
        },
        "required": ["path"],
        "additionalProperties": False,
    }

    def __init__(self, root: str | os.PathLike[str], *, max_bytes: int = MAX_READ_BYTES) -> None:
        self.root = Root(root)
        self.max_bytes = max_bytes

    def execute(self, args: dict[str, Any]) -> str:
        """Return the content of the file ``args["path"]``, decoded by ``args["encoding"]``.

        Line ends and a byte order mark stay as they are, so that the text written back makes the same file.

        Raises:
            PermissionError: The path leads outside the root, or the system forbids it.
            OSError: There is no such file, or it is a directory, a pipe, a device.
            ValueError: The file is too large or not of this encoding, or there is no such encoding.
        """
        path, encoding = args["path"], args.get("encoding") or "utf-8"
        is_binary = encoding.lower() == "base64"
        if not is_binary:
            _check_encoding(encoding)
        data = self.root.read(path, self.max_bytes)
        if is_binary:
            import base64

            return base64.b64encode(data).decode("ascii")
        return _decode(data, encoding, path)


class WriteFileTool:
    """Writes text files below one directory, each in one step.

    Args:
        root: The directory; nothing outside it can be reached. See `ai_tools.confined`.
        max_bytes: Bytes that the content may have.

    Raises:
        NotADirectoryError: The root is none.
    """

    name = "write_file"
    description = "Write text to a file, in place of what it held. Missing directories are created."
    annotations = {"destructiveHint": True, "idempotentHint": True, "openWorldHint": False}  # noqa: RUF012 - never changed
    sequential = True  # calls of one turn mean the order in which they stand
    parameters = {  # noqa: RUF012 - never changed
        "type": "object",
        "properties": {"path": _PATH, "content": {"type": "string", "description": "The whole new content."}},
        "required": ["path", "content"],
        "additionalProperties": False,
    }

    def __init__(self, root: str | os.PathLike[str], *, max_bytes: int = MAX_WRITE_BYTES) -> None:
        self.root = Root(root)
        self.max_bytes = max_bytes

    def execute(self, args: dict[str, Any]) -> str:
        """Write ``args["content"]`` as UTF-8 to the file ``args["path"]`` and say so.

        Raises:
            PermissionError: The path leads outside the root, or the system forbids it.
            OSError: The file cannot be written, or something that is no file has its name.
            ValueError: The content is too large or cannot be written as UTF-8.
        """
        path = args["path"]
        data = encode(args["content"])
        if len(data) > self.max_bytes:
            raise ValueError(
                f"the content has {len(data):,} bytes; at most {self.max_bytes:,} can be written"
            )
        self.root.write(path, data)
        return f"Wrote {len(data):,} bytes to {path}"


def encode(text: str) -> bytes:
    """Return text as UTF-8.

    Raises:
        ValueError: It holds half a surrogate pair.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the content holds half a surrogate pair at character {error.start}") from None


def _check_encoding(encoding: str) -> None:
    try:
        "".encode(encoding)  # unlike codecs.lookup, this refuses codecs that are no text encodings
    except (LookupError, ValueError):
        raise ValueError(
            f'{encoding!r} is no text encoding; use one such as "utf-8", "latin-1" or "utf-16", or "base64"'
        ) from None


def _decode(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        place = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise ValueError(
            f"{path!r} is not {encoding} text{place}; give its encoding, or base64 for a binary file"
        ) from None
