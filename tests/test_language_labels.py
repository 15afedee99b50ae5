"""Labels of loops, and the protocol that loops iterate by."""

from __future__ import annotations

import pytest
from support import fails, output, value

from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


# -- labels ----------------------------------------------------------------------------------------------


def test_break_and_continue_an_outer_loop():
    """``^from`` names the loop that is meant."""
    text = """
        (for ^name outer i in (0 .. 2)
          (for j in (0 .. 2)
            (if (j == 1) (continue ^from outer))
            (if (i == 2) (break ^from outer))
            (println i j)))
    """
    assert output(text) == "0 0\n1 0\n"


@pytest.mark.parametrize(
    "loop",
    [
        "(while ^name o true {0})",
        "(loop ^name o {0})",
        "(repeat ^name o 3 {0})",
        "(for ^name o x in [1 2] {0})",
    ],
)
def test_every_loop_can_have_a_label(loop):
    """Each kind of loop can be left from a loop inside of it."""
    inner = "(n += 1) (for y in [1 2] (break ^from o))"
    assert value(f"(var n 0) {loop.format(inner)} n") == 1


def test_a_label_may_be_that_of_the_innermost_loop():
    """It then means nothing more than no label."""
    assert value("(loop ^name a (break ^from a 5))") == 5


def test_the_innermost_of_equal_labels_is_meant():
    """A label hides the same label further out."""
    assert output("(for ^name a x in [1 2] (for ^name a y in [1 2] (break ^from a)) (println x))") == "1\n2\n"


def test_values_leave_through_labels():
    """The loop that is left has the value."""
    assert value("(loop ^name o (loop (break ^from o 5)))") == 5
    assert value("(var r (loop ^name o (for x in [1 2] (if (x == 2) (break ^from o x))))) r") == 2
    assert value("(loop ^name a (loop ^name b (loop (break ^from b 1))) (break 2))") == 2


def test_finally_runs_on_the_way_out():
    """Of every ``try`` that is left."""
    text = """
        (for ^name o x in [1 2 3]
          (loop (try (if (x == 2) (break ^from o)) (continue ^from o) finally (println "left" x))))
    """
    assert output(text) == "left 1\nleft 2\n"


def test_unknown_labels_are_refused():
    """Also those of loops outside of the function."""
    assert fails("(for x in [1] (break ^from nope))") == "break: no loop is named nope"
    assert (
        fails("(for ^name o x in [1] ([1] .each (fn [y] (break ^from o))))") == "break used outside of a loop"
    )
    assert fails("(for ^name o x in [1] (fn [] (loop (continue ^from o))))") == "continue: no loop is named o"


# -- iteration -------------------------------------------------------------------------------------------


def test_iterators():
    """``iter`` gives an object with ``next``, ``next_pair`` and ``has_next``; ``not_found`` is the end."""
    assert shown(
        "(var i ([1 2] .iter)) [(i .next) (i .has_next) (i .next_pair) (i .has_next) (i .next)]"
    ) == ("[1 true [1 2] false not_found]")
    assert shown("(var i ({^a 1} .iter)) [(i .next_pair) (i .next_pair)]") == '[["a" 1] not_found]'
    assert shown("(var i ((1 .. 2) .iter)) [(i .next) (i .next) (i .next)]") == "[1 2 not_found]"


def test_a_loop_goes_on_with_an_iterator():
    """What was taken before is not visited again."""
    assert output("(var i ([1 2 3] .iter)) (i .next) (for x in i (println x))") == "2\n3\n"


COUNTER = """
    (class Down (ctor [/n])
      (method iter [] (new Down /n))
      (method next [] (if (/n == 0) not_found else (/n -= 1) /n)))
"""


def test_objects_iterate():
    """A class takes part with a method ``iter`` that gives an object with a method ``next``."""
    assert output(f"{COUNTER} (for x in (new Down 3) (println x))") == "2\n1\n0\n"
    assert output(f"{COUNTER} (for i x in (new Down 2) (println i x))") == "0 1\n1 0\n"
    assert (
        output(f"{COUNTER} (var d (new Down 2)) (for x in d (for y in d (println x y)))")
        == "1 1\n1 0\n0 1\n0 0\n"
    )


def test_objects_may_iterate_as_a_collection_does():
    """``iter`` may return an array, or an iterator of one."""
    assert output("(class C (method iter [] [1 2])) (for x in (new C) (println x))") == "1\n2\n"
    assert (
        output("(class C (method iter [] ([1 2] .iter))) (for i x in (new C) (println i x))") == "0 1\n1 2\n"
    )


def test_objects_may_give_pairs():
    """With a method ``next_pair`` a loop over two names gets its keys."""
    text = """
        (class C (ctor [] (/left [["k" 1] ["l" 2]] ) (/items = [["k" 1] ["l" 2]]))
          (method iter [] self)
          (method next [] (var p (.next_pair)) (if (p == not_found) not_found else p/1))
          (method next_pair [] (if (/items .empty?) not_found else (/items .del 0))))
    """.replace('(/left [["k" 1] ["l" 2]] ) ', "")
    assert output(f"{text} (for k v in (new C) (println k v))") == "k 1\nl 2\n"
    assert output(f"{text} (for v in (new C) (println v))") == "1\n2\n"


def test_arrays_are_iterated_live():
    """What a turn adds is visited; a map is visited as it was."""
    assert value("(var xs [1 2]) (for x in xs (if (x < 5) (xs .push (x + 2)))) xs") == [1, 2, 3, 4, 5, 6]
    assert output("(var m {^a 1 ^b 2}) (for k v in m (m .del k) (m .set `c 3) (println k))") == "a\nb\n"


@pytest.mark.parametrize(
    ("collection", "message"),
    [
        ('"abc"', "Method iter not found on VkString"),
        ("`(f 1)", "Method iter not found on VkGene"),
        ("5", "Unified method call not supported for VkInt"),
        ("void", "Unified method call not supported for VkVoid"),
        ("(do (class C) (new C))", "Method iter not found on instance"),
    ],
)
def test_what_cannot_be_iterated(collection, message):
    """Strings have characters, and genes have children; neither is a collection itself."""
    assert fails(f"(for x in {collection} x)") == message


def test_nil_is_empty():
    """A loop over nothing does nothing."""
    assert output('(for x in nil (println x)) (for k v in nil (println k)) (repeat nil (println "x"))') == ""
