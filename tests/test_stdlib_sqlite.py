"""``genex/sqlite`` through Gene programs, on real databases."""

import sqlite3
import threading

import pytest
from support import error, fails, value

from gene.interpreter import Interpreter
from gene.runtime.exceptions import ArgumentException, TypeException
from gene.stdlib.capabilities import ALL

NOTES = """
(var db (genex/sqlite/open ":memory:"))
(db .exec "create table notes (id integer primary key, text text unique not null, at, blob)")
"""
ERROR = "genex/sqlite/Error"


def on_notes(text):
    """The value of code with a table of notes."""
    return value(NOTES + text)


@pytest.fixture
def path(tmp_path):
    """The path of a database file that is not there yet."""
    return str(tmp_path / "t ?#%.db")


def test_rows_are_maps_of_values():
    """Every kind of value that a database holds comes back as what it was."""
    rows = on_notes("""
      (db .exec "insert into notes (text, at, blob) values (?, ?, ?)" "é😀" 1.5 0#00ff)
      (db .exec "insert into notes (text, at) values (?, ?)" "" -9223372036854775808)
      (db .exec "insert into notes (text, at) values (?, ?)" "t" true)
      (db .query "select * from notes order by id")
    """)
    assert rows[0] == {"id": 1, "text": "é😀", "at": 1.5, "blob": b"\x00\xff"}
    assert rows[1] == {"id": 2, "text": "", "at": -(2**63), "blob": None}
    assert rows[2]["at"] == 1
    assert (
        value(
            NOTES + "(db .exec \"insert into notes (text, blob) values ('a', ?)\" 0#dead) "
            '(typeof ((db .query_one "select blob from notes") .get "blob"))'
        )
        == "VkBytes"
    )


@pytest.mark.parametrize("params", ['"a" 2', '["a" 2]'])
def test_positional_parameters(params):
    """Parameters are values, or one array of them; they are never part of the statement."""
    assert on_notes(f'(db .query "select ? as a, ? as b" {params})') == [{"a": "a", "b": 2}]
    assert on_notes('(db .query "select ? as a" "\'; drop table notes; --")') == [
        {"a": "'; drop table notes; --"}
    ]


def test_named_parameters():
    """A map gives the values of ``:name``."""
    assert on_notes('(db .query "select :x as a, :y as b" {^x 1 ^y nil})') == [{"a": 1, "b": None}]


def test_exec_tells_how_many_rows_changed():
    """It counts what was inserted, changed or deleted; ``last_id`` is the id of the latest insert."""
    assert on_notes("""
      [(db .last_id)
       (db .exec "insert into notes (text) values ('a'), ('b'), ('c')")
       (db .last_id)
       (db .exec "update notes set at = 1 where id > 1")
       (db .exec "delete from notes where id = 9")
       (db .exec "create table other (x)")
       (db .exec "select 1")]
    """) == [0, 3, 3, 2, 0, 0, 0]


def test_query_one_and_each():
    """One row or nil; a callback for each row."""
    assert on_notes("""
      (db .exec "insert into notes (text) values ('a'), ('b')")
      (var seen [])
      (db .each "select text from notes where id >= ? order by id" 1 (fn [row] (seen .push row/text)))
      [(db .query_one "select text from notes order by id") (db .query_one "select 1 where 0") seen]
    """) == [{"text": "a"}, None, ["a", "b"]]


def test_scripts_of_several_statements():
    """Semicolons in strings, comments and triggers end no statement; nothing to do is fine."""
    assert on_notes("""
      (db .exec_script "
        create table a (x); -- one; two
        create trigger t after insert on a begin delete from notes; select 1; end;
        insert into notes (text) values ('p;q');
        insert into a values (1)")
      (db .exec_script " ; ")
      [(db .query "select count(*) as n from notes") (db .query "select x from a")]
    """) == [[{"n": 0}], [{"x": 1}]]


COUNT = '((db .query_one "select count(*) as n from notes") .get "n")'
INSERT = '(db .exec "insert into notes (text) values (?)" "{}")'


def test_a_transaction_is_all_or_nothing():
    """What throws is taken back and thrown on; what ends well is kept, and its value returned."""
    assert on_notes(f"""
      (var value (db .transaction (fn [] {INSERT.format("a")} "made")))
      (var message nil)
      (try
        (db .transaction (fn [] {INSERT.format("b")} {INSERT.format("c")} (throw "no")))
      catch *
        (message = $ex/message))
      [value message {COUNT}]
    """) == ["made", "no", 1]


def test_transactions_inside_of_transactions():
    """An inner one that fails takes back only its own work; an outer one all of it."""
    inner = f"(try (db .transaction (fn [] {INSERT.format('b')} (throw 1))) catch * nil)"
    assert (
        on_notes(f"(db .transaction (fn [] {INSERT.format('a')} {inner} {INSERT.format('c')})) {COUNT}") == 2
    )
    outer = f"(db .transaction (fn [] (db .transaction (fn [] {INSERT.format('a')})) (throw 1)))"
    assert on_notes(f"(try {outer} catch * nil) {INSERT.format('z')} {COUNT}") == 1


def test_a_transaction_that_fails_to_commit_is_taken_back():
    """A constraint that is checked at the end fails the transaction as a whole."""
    assert on_notes("""
      (db .exec_script "pragma foreign_keys = on; create table c (n references notes deferrable initially deferred)")
      (var code nil)
      (try (db .transaction (fn [] (db .exec "insert into c values (7)"))) catch * (code = $ex/code))
      [code (db .query "select * from c") (db .transaction (fn [] 1))]
    """) == ["SQLITE_CONSTRAINT_FOREIGNKEY", [], 1]


def test_files_are_kept(path):
    """A database is a file, whatever characters its name has; it can be opened for reading only."""
    program = f"""
      (var db (genex/sqlite/open "{path}"))
      (db .exec "create table t (x)") (db .exec "insert into t values (1)") (db .close)
      (var again (genex/sqlite/open "{path}" ^^readonly))
      [(again .query "select x from t")
       (try (again .exec "delete from t") catch {ERROR} $ex/code)
       (again .transaction (fn [] (again .query_one "select x from t")))
       (do (again .close) (again .close) (again .closed?))]
    """
    assert value(program) == [[{"x": 1}], "SQLITE_READONLY", {"x": 1}, True]
    with sqlite3.connect(path) as connection:
        assert connection.execute("select x from t").fetchall() == [(1,)]
    connection.close()


ERRORS = {
    '(db .exec "inser")': ('near "inser": syntax error', "SQLITE_ERROR"),
    '(db .query "select * from nope")': ("no such table: nope", "SQLITE_ERROR"),
    '(db .exec "insert into notes (at) values (1)")': (
        "NOT NULL constraint failed: notes.text", "SQLITE_CONSTRAINT_NOTNULL",
    ),
    '(db .query "select 1; select 2")': ("You can only execute one statement at a time.", "SQLITE_MISUSE"),
    '(db .query "select ?" 1 2)': (
        "Incorrect number of bindings supplied. The current statement uses 1, and there are 2 supplied.",
        "SQLITE_MISUSE",
    ),
    '(db .query "select :a" {^b 1})': ("You did not supply a value for binding parameter :a.", "SQLITE_MISUSE"),
    '(do (db .close) (db .query "select 1"))': ("the database is closed", "SQLITE_MISUSE"),
    '(genex/sqlite/open "/nowhere/x.db")': (
        "Failed to open database '/nowhere/x.db': unable to open database file", "SQLITE_CANTOPEN",
    ),
    '(db .query "select 1 as a, 2 as a")': ("two columns are called a: give them names of their own with AS", None),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), ERRORS.items())
def test_what_the_database_refuses_is_a_typed_error(code, expected):
    """The message is SQLite's, the code its name for the error; the class can be caught."""
    message, name = expected
    failed = error(NOTES + code)
    assert str(failed) == message
    if name:
        assert failed.code == name
    assert on_notes(f"(try {code} catch {ERROR} (if ($ex is Exception) $ex/message))") == message


def test_constraints_have_a_class_of_their_own():
    """``ConstraintError`` is an ``Error``."""
    code = INSERT.format("a") * 2
    assert on_notes(f"(try {code} catch genex/sqlite/ConstraintError $ex/code)") == "SQLITE_CONSTRAINT_UNIQUE"
    assert on_notes(f'(try (db .exec "x") catch genex/sqlite/ConstraintError 1 catch {ERROR} 2)') == 2


def test_a_file_that_is_no_database(tmp_path):
    """It is refused when it is opened."""
    (tmp_path / "text").write_text("no database at all, but long enough " * 100, encoding="utf-8")
    assert fails(f'(genex/sqlite/open "{tmp_path}/text")').endswith("file is not a database")


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ('(db .exec "select ?" [[1]])', TypeException, "a database cannot hold a value of type: VkArray"),
        ('(db .exec "select ?" `a)', TypeException, "a database cannot hold a value of type: VkSymbol"),
        ('(db .exec "select ?" void)', TypeException, "a database cannot hold a value of type: VkVoid"),
        ('(db .exec "select ?" (0.0 / 0.0))', ArgumentException, "a database cannot hold nan"),
        ("(db .exec)", ArgumentException, "Database.exec requires a string of SQL, got nothing"),
        ("(db .query 5)", ArgumentException, "Database.query requires a string of SQL, got VkInt"),
        ("(genex/sqlite/open)", ArgumentException, "genex/sqlite/open requires a string path, got nothing"),
        (
            '(genex/sqlite/open "x" ^timeout "1")',
            ArgumentException,
            "genex/sqlite/open requires ^timeout to be a number of seconds",
        ),
    ],
)
def test_wrong_arguments(code, kind, message):
    """What cannot be stored or run is refused before the database sees it."""
    failed = error(NOTES + code)
    assert (type(failed), str(failed)) == (kind, message)


def test_a_locked_database_is_an_error_after_the_timeout(path):
    """Another connection's transaction is waited for, then ``SQLITE_BUSY``."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("create table t (x)")
    other.execute("begin exclusive")
    open_ = f'(genex/sqlite/open "{path}" ^timeout 0.05)'
    assert error(open_).code == "SQLITE_BUSY"
    other.execute("commit")
    assert value(f'({open_} .exec "insert into t values (1)")') == 1
    other.close()


def test_connections_in_several_threads(path):
    """Programs that write to one file at once wait for each other."""
    value(f'((genex/sqlite/open "{path}") .exec "create table t (x)")')
    program = f"""
      (var db (genex/sqlite/open "{path}"))
      (for i in (1 .. 20) (db .transaction (fn [] (db .exec "insert into t values (?)" i))))
    """
    threads = [threading.Thread(target=value, args=(program,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert value(f'((genex/sqlite/open "{path}") .query "select count(*) as n from t")') == [{"n": 80}]


def test_threads_share_a_database():
    """A database that a program opened works in the threads in which its tools run; transactions do not mix."""
    gene = Interpreter(capabilities=ALL)
    add = gene.eval(
        NOTES
        + """(fn add [] (db .transaction (fn []
          (var n (db .query_one "select count(*) as n from notes"))
          (db .exec "insert into notes (text) values (?)" n/n/.to_s))))"""
    )
    threads = [threading.Thread(target=lambda: [add() for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gene.eval(COUNT) == 200


def test_the_capability_for_files_is_needed():
    """An embedded program cannot open databases unless it may use files."""
    with pytest.raises(Exception, match="genex/sqlite/open needs the capability 'files'"):
        Interpreter().eval('(genex/sqlite/open ":memory:")')
    assert Interpreter(capabilities={"files"}).eval('((genex/sqlite/open ":memory:") .closed?)') is False
