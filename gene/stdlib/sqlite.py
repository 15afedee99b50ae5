"""``genex/sqlite``: databases of SQLite.

::

    (var db (genex/sqlite/open "notes.db"))
    (db .exec "create table if not exists notes (id integer primary key, text, at)")
    (db .exec "insert into notes (text, at) values (?, ?)" "hello" 12)
    (db .query "select text from notes where at > :since" {^since 10})     # [{^text "hello"}]
    (db .transaction (fn [] …))
    (db .close)

Outside of :meth:`Database.transaction` every statement is a transaction of its own. Threads can share a
database, as tools do that run with a time limit: while one is in a transaction, the others wait.
"""

from __future__ import annotations

import math
import sqlite3
from _thread import RLock
from contextlib import suppress

from gene.data.kinds import Kind
from gene.data.octets import Octets
from gene.runtime.exceptions import ArgumentException, GeneException, TypeException
from gene.stdlib.arguments import MISSING, callback, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

TIMEOUT: Final = 5.0
"""Seconds to wait for a database that another connection has locked, where the program says nothing."""


class Error(GeneException):
    """``genex/sqlite/Error``: what SQLite refuses; ``code`` is its name for it, such as ``SQLITE_BUSY``."""

    gene_name = "SqliteError"


class ConstraintError(Error):
    """``genex/sqlite/ConstraintError``: data that a constraint of the database forbids."""

    gene_name = "SqliteConstraintError"


class Connection(sqlite3.Connection):
    """A connection that a program may forget: it is closed when it goes, which Python warns of otherwise."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # of one that was never opened
            self.close()


class Database:
    """An open database.

    Args:
        connection: The connection, in autocommit mode.
        begin: How a transaction begins.
    """

    __slots__ = ("_begin", "_connection", "_depth", "_lock")

    def __init__(self, connection: sqlite3.Connection, begin: str) -> None:
        self._connection: sqlite3.Connection | None = connection
        self._begin = begin
        self._depth = 0
        self._lock = RLock()

    def exec(self, sql: Any = MISSING, *params: Any) -> int:
        """``(db .exec sql params…)``: run one statement.

        Args:
            sql: The statement, with ``?`` or ``:name`` where parameters go.
            *params: The parameters: values for each ``?``, or one array of them, or one map for the names.

        Returns:
            How many rows were inserted, changed or deleted.

        Raises:
            Error: The statement is wrong, or the database refuses it.
            ArgumentException: A parameter that a database cannot hold.
        """
        with self._lock, _translated():
            return max(0, self._execute("exec", sql, params).rowcount)

    def exec_script(self, sql: Any = MISSING) -> None:
        """``(db .exec_script sql)``: run any number of statements, one after the other."""
        for statement in _statements(_text(sql, "exec_script")):
            self.exec(statement)

    def query(self, sql: Any = MISSING, *params: Any) -> list[dict[str, Any]]:
        """``(db .query sql params…)``: the rows of a statement, each a map by the names of the columns.

        Raises:
            Error: As for :meth:`exec`, or two columns have the same name.
        """
        with self._lock, _translated():
            return list(self._rows("query", sql, params))

    def query_one(self, sql: Any = MISSING, *params: Any) -> dict[str, Any] | None:
        """``(db .query_one sql params…)``: the first row, or nil if there is none."""
        with self._lock, _translated():
            return next(self._rows("query_one", sql, params), None)

    def each(self, sql: Any = MISSING, *rest: Any) -> Database:
        """``(db .each sql params… fn)``: call a function with each row, without keeping them all."""
        *params, function = rest or (MISSING,)
        called = callback(function, "Database.each")
        rows = self._rows("each", sql, params)
        while True:
            with self._lock, _translated():
                row = next(rows, None)
            if row is None:
                return self
            called(row)

    def last_id(self) -> int:
        """``(db .last_id)``: the row id of the latest insert; 0 before the first."""
        with self._lock, _translated():
            return int(self._use().execute("select last_insert_rowid()").fetchone()[0])

    def transaction(self, function: Any = MISSING) -> Any:
        """``(db .transaction fn)``: all that a function does to the database, or nothing of it.

        Transactions can be nested: an inner one that fails takes back what it did itself.

        Returns:
            What the function returns.

        Raises:
            Exception: What the function raises, once everything it did is taken back.
        """
        called = callback(function, "Database.transaction")
        with self._lock:
            return self._transact(called, self._depth)

    def close(self) -> None:
        """``(db .close)``: close the database; a transaction that is not done is taken back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def is_closed(self) -> bool:
        """``(db .closed?)``: whether it was closed."""
        return self._connection is None

    def __repr__(self) -> str:
        return "VkDatabase"

    def _use(self) -> sqlite3.Connection:
        if self._connection is None:
            raise Error("the database is closed", code="SQLITE_MISUSE")
        return self._connection

    def _run(self, sql: str) -> None:
        with _translated():
            self._use().execute(sql)

    def _transact(self, called: Callable[[], Any], depth: int) -> Any:
        self._run(f"savepoint gene_{depth}" if depth else self._begin)
        self._depth += 1
        try:
            value = called()
            self._run(f"release gene_{depth}" if depth else "commit")
        except BaseException:
            self._take_back(depth)
            raise
        finally:
            self._depth = depth
        return value

    def _take_back(self, depth: int) -> None:
        """Undo a transaction, unless it has ended already."""
        if self._connection is None or not self._connection.in_transaction:
            return
        if depth:
            self._connection.execute(f"rollback to gene_{depth}")
            self._connection.execute(f"release gene_{depth}")
        else:
            self._connection.execute("rollback")

    def _execute(self, method: str, sql: Any, params: Any) -> sqlite3.Cursor:
        return self._use().execute(_text(sql, method), _parameters(params))

    def _rows(self, method: str, sql: Any, params: Any) -> Iterator[dict[str, Any]]:
        cursor = self._execute(method, sql, params)
        names = [column[0] for column in cursor.description or ()]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise Error(f"two columns are called {min(twice)}: give them names of their own with AS")
        for row in cursor:
            yield {name: _value(value) for name, value in zip(names, row, strict=True)}


def open_(path: Any = MISSING, *, readonly: Any = False, timeout: Any = TIMEOUT) -> Database:
    """``(genex/sqlite/open path ^^readonly ^timeout seconds)``: open a database, or make it.

    Args:
        path: Its file; ``":memory:"`` for one that is kept in memory and goes when it is closed.
        readonly: Whether to open it for reading only; then it must be there.
        timeout: Seconds to wait while another connection keeps it locked.

    Raises:
        Error: It cannot be opened, or is no database.
    """
    from urllib.parse import quote

    if type(path) is not str or not path:
        raise ArgumentException(f"genex/sqlite/open requires a string path, got {tag_of(path)}")
    if type(timeout) not in (int, float) or not timeout >= 0:
        raise ArgumentException("genex/sqlite/open requires ^timeout to be a number of seconds")
    if "\0" in path:
        raise ArgumentException("genex/sqlite/open requires a path without null characters")
    only_read = readonly is not False and readonly is not None
    name = f"file:{quote(path)}?mode=ro" if only_read else path
    with _translated(f"Failed to open database '{path}': "):
        connection = sqlite3.connect(
            name,
            timeout=timeout,
            isolation_level=None,
            check_same_thread=False,
            factory=Connection,
            uri=only_read,
        )
        try:
            connection.execute("select count(*) from sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
    return Database(connection, "begin" if only_read else "begin immediate")


class _translated:  # noqa: N801 - reads as a phrase where it is used
    """Turns what the module sqlite3 raises into exceptions of Gene."""

    __slots__ = ("_prefix",)

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, sqlite3.Error):
            kind = ConstraintError if isinstance(error, sqlite3.IntegrityError) else Error
            code = getattr(error, "sqlite_errorname", "SQLITE_MISUSE")
            raise kind(f"{self._prefix}{error}", code=code) from None


def _text(sql: Any, method: str) -> str:
    if type(sql) is not str:
        raise ArgumentException(f"Database.{method} requires a string of SQL, got {tag_of(sql)}")
    return sql


def _parameters(params: Any) -> Any:
    """Parameters as the module sqlite3 takes them."""
    if len(params) == 1 and isinstance(params[0], dict):
        return {name: _parameter(value) for name, value in params[0].items()}
    given = params[0] if len(params) == 1 and isinstance(params[0], list) else params
    return [_parameter(value) for value in given]


def _parameter(value: Any) -> Any:
    """A value as a database holds it. Booleans become 0 and 1."""
    if value is None or isinstance(value, (bool, int, bytes)):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            raise ArgumentException("a database cannot hold nan")
        return value
    if isinstance(value, str):
        if not value.isascii():
            _check_text(value)
        return value
    hint = "store text, such as (value .to_json) or (value .to_s)"
    raise TypeException(f"a database cannot hold a value of type: {tag_of(value)}", hint=hint)


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ArgumentException("a database cannot hold half of a surrogate pair") from None


def _value(value: Any) -> Any:
    return Octets(value) if type(value) is bytes else value


def _statements(sql: str) -> Iterator[str]:
    """The statements of a text; a semicolon in a string, a comment or a trigger ends none."""
    statement = ""
    for part in sql.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            if statement.strip(" \t\r\n;"):
                yield statement
            statement = ""
    rest = statement.removesuffix(";")
    if rest.strip():
        yield rest


DATABASE: Final = Kind(
    "Database",
    "VkDatabase",
    Database,
    methods={
        "close": Database.close,
        "closed?": Database.is_closed,
        "each": Database.each,
        "exec": Database.exec,
        "exec_script": Database.exec_script,
        "last_id": Database.last_id,
        "query": Database.query,
        "query_one": Database.query_one,
        "transaction": Database.transaction,
    },
)
