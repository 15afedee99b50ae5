"""What names stand for for good: values, classes and their ancestors, as far as the source tells."""

from __future__ import annotations

from gene.compiler.nodes import Call, Class, Fn, GlobalGet, LocalGet, LocalSet, Member, Node, Run

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start


def only_value(node: Node) -> Node | None:
    """The one node that a name is ever assigned; None for other nodes."""
    if isinstance(node, GlobalGet):
        return node.name.value if node.name.assignments == 1 else None
    if isinstance(node, LocalGet) and not node.variable.exposed:
        return node.variable.value if node.variable.assignments == 1 else None
    return None


def class_named(node: Node) -> Class | None:
    """The class that a node stands for; None where that is not known."""
    value = node if isinstance(node, Class) else only_value(node)
    return value if isinstance(value, Class) and value.adapts is None else None


def constructed(node: Node | None) -> Class | None:
    """The class of which a node makes an instance with ``new``."""
    if isinstance(node, Run) and node.function == "check_variable":
        node = node.args[0]
    if not isinstance(node, Call) or not isinstance(node.callee, Run) or node.callee.function != "maker":
        return None
    target = node.callee.args[0]
    while isinstance(target, LocalSet):
        target = target.value
    return class_named(target)


def class_of(node: Node) -> Class | None:
    """The class that a variable's value is of, where the variable is assigned once, with ``new``."""
    return constructed(only_value(node))


def ancestry(cls: Class) -> tuple[list[Class], bool]:
    """A class, its parent and so on, and whether that is all of them: the source may not tell."""
    chain = [cls]
    while chain[-1].parent is not None:
        parent = class_named(chain[-1].parent)
        if parent is None or parent in chain:
            return chain, False
        chain.append(parent)
    return chain, True


def method_of(cls: Class, name: str) -> Fn | None:
    """The method that instances of a class have under a name, as far as the source tells."""
    for each in ancestry(cls)[0]:
        found = [fn for method, fn in each.methods if method == name]
        if found:
            return found[-1]
    return None


def is_made(node: Node | None, function: str) -> bool:
    """Whether a node is what a definition of this sort becomes."""
    return isinstance(node, Run) and node.function == function


def variant_of(node: Node) -> tuple[Run, tuple[str, ...], Node] | None:
    """The enum, the names of the fields, and what gives their types, of ``Enum/Variant``."""
    enum = only_value(node.object) if isinstance(node, Member) else None
    if not isinstance(node, Member) or not isinstance(enum, Run) or enum.function != "make_enum":
        return None
    variants, types = enum.args[1].value, enum.args[2:]  # type: ignore[attr-defined]
    for (name, fields), declared in zip(variants, types, strict=True):
        if name == node.key:
            return enum, fields, declared
    return None
