"""Which assistant belongs to which user, in a SQLite file."""

from __future__ import annotations

import threading
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import os

_TABLE = """
CREATE TABLE IF NOT EXISTS assistants (
    service TEXT NOT NULL, user TEXT NOT NULL, assistant_id TEXT NOT NULL, tools TEXT NOT NULL,
    PRIMARY KEY (service, user)
)
"""


class Assistant(NamedTuple):
    """A user's assistant.

    Attributes:
        id: Its id.
        tools: The digest of the tools that it was given; "" where that is not known.
    """

    id: str
    tools: str


class UserStore:
    """Remembers assistants. Several threads, and several processes, may use one file.

    Args:
        path: The file, made if there is none; ``":memory:"`` for one that ends with the program.
        service: The service's address: assistants of another one are others.
    """

    def __init__(self, path: str | os.PathLike[str], service: str = "") -> None:
        import sqlite3

        self._service = service
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, timeout=30.0, check_same_thread=False)
        with self._lock, self._database as database:
            database.execute(_TABLE)

    def get(self, user: str) -> Assistant | None:
        """Return a user's assistant, None for a user who is not known."""
        query = "SELECT assistant_id, tools FROM assistants WHERE service = ? AND user = ?"
        with self._lock, closing(self._database.execute(query, (self._service, user))) as rows:
            row = rows.fetchone()
        return Assistant(*row) if row else None

    def add(self, user: str, assistant: Assistant) -> Assistant:
        """Remember the assistant of a new user, and return the one that counts: the first that was added."""
        statement = "INSERT INTO assistants VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        with self._lock, self._database as database:
            database.execute(statement, (self._service, user, *assistant))
        return self.get(user) or assistant

    def put(self, user: str, assistant: Assistant) -> None:
        """Remember a user's assistant instead of any earlier one."""
        statement = "INSERT OR REPLACE INTO assistants VALUES (?, ?, ?, ?)"
        with self._lock, self._database as database:
            database.execute(statement, (self._service, user, *assistant))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()
