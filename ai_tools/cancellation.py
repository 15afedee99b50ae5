"""Cancellation of work from another thread: a token that work looks at, and that can end what blocks."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CancelToken:
    """Tells work that it is no longer wanted. Any thread may cancel; it happens once and stays so."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._closers: dict[_Closing, None] = {}

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` has been called."""
        return self._cancelled

    def cancel(self) -> None:
        """Cancel: whatever is in force through `closing` is closed, in this thread."""
        with self._lock:
            self._cancelled = True
            closers, self._closers = self._closers, {}
        for closer in closers:
            closer.close()

    def closing(self, close: Callable[[], object]) -> _Closing:
        """Return a context in which a cancellation calls `close`, such as that of a connection.

        Args:
            close: Called at most once, in the thread that cancels; at once if that has happened already. It
                should make the blocked work raise; its own exceptions are dropped.
        """
        return _Closing(self, close)

    def _add(self, closer: _Closing) -> bool:
        with self._lock:
            if not self._cancelled:
                self._closers[closer] = None
            return not self._cancelled

    def _remove(self, closer: _Closing) -> None:
        with self._lock:
            self._closers.pop(closer, None)


class _Closing:
    def __init__(self, token: CancelToken, close: Callable[[], object]) -> None:
        self._token = token
        self._close = close

    def __enter__(self) -> None:
        if not self._token._add(self):  # noqa: SLF001 - the two classes are one mechanism
            self.close()

    def __exit__(self, *_: object) -> None:
        self._token._remove(self)  # noqa: SLF001 - the two classes are one mechanism

    def close(self) -> None:
        try:
            self._close()
        except Exception:  # noqa: BLE001 - what is being torn down may fail in any way
            return
