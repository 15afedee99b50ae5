"""The flow analysis of values: constants, variables, calls and operators."""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.effects import is_plain
from gene.compiler.flow import DECLARED, VISITORS, Flow
from gene.compiler.masks import (
    ALL,
    ARRAY,
    BOOL,
    FLOAT,
    INT,
    MAP,
    NATURAL,
    NEGATIVE,
    NIL,
    NOT_NEGATIVE,
    NUMBER,
    OTHER,
    STRING,
    VOID,
    mask_of_constant,
)
from gene.compiler.nodes import (
    Array,
    Binary,
    Builtin,
    Call,
    Compare,
    Const,
    Environment,
    Equal,
    GlobalGet,
    GlobalSet,
    Interpolation,
    LocalGet,
    LocalSet,
    Logic,
    MacroCall,
    Map,
    Member,
    Node,
    Not,
    Run,
    Send,
    SetMember,
    SetSelf,
    Spread,
    Super,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start

_RESULTS = {
    "can_unpack": BOOL,
    "can_unpack_key": BOOL,
    "can_unpack_rest": BOOL,
    "concatenate": STRING,
    "exclusive_or": INT | BOOL | OTHER,
    "gene_maker": OTHER,
    "hash_map": OTHER,
    "is_failure": BOOL,
    "is_instance": BOOL,
    "is_variant": BOOL,
    "matches_case": BOOL,
    "join_strings": STRING,
    "make_range": OTHER,
    "make_union": OTHER,
    "negate": NUMBER,
    "run_async": OTHER,
}
"""What runtime functions return, where that is worth knowing."""
_BUILTINS = {"void": VOID, "contracts": BOOL}

_LENGTHS = dict.fromkeys(("length", "size"), NATURAL)
_ANSWERS = {
    STRING: {
        **_LENGTHS,
        **dict.fromkeys(("append", "upper", "lower", "trim", "substr", "replace", "replace_all"), STRING),
        **dict.fromkeys(("empty?", "contains", "starts_with", "ends_with", "match?"), BOOL),
        "split": ARRAY,
    },
    ARRAY: {
        **_LENGTHS,
        **dict.fromkeys(
            ("add", "append", "map", "filter", "slice", "take", "skip", "reverse", "sort"), ARRAY
        ),
        **dict.fromkeys(("empty?", "contains", "any", "all"), BOOL),
        "join": STRING,
    },
    MAP: {"size": NATURAL, "keys": ARRAY, "values": ARRAY, "has": BOOL},
}
"""What the usual methods of built-in kinds answer, by the kind of the receiver."""


# -- values ------------------------------------------------------------------------------------------


def _const(_flow: Flow, node: Const) -> int:
    return mask_of_constant(node.value)


def _builtin(_flow: Flow, node: Builtin) -> int:
    return _BUILTINS.get(node.name, OTHER)


def _local_get(flow: Flow, node: LocalGet) -> int:
    if node.variable.inner:
        return node.variable.known
    return flow.state.get(node.variable, ALL)


def _local_set(flow: Flow, node: LocalSet) -> int:
    mask = flow.visit(node.value)
    fields = node.variable.fields
    if fields is not None and isinstance(node.value, Map):
        for key, value in node.value.entries:
            assert key is not None
            fields[key] = fields.get(key, 0) | value.mask
    flow.set(node.variable, mask)
    return mask


def _global_get(_flow: Flow, node: GlobalGet) -> int:
    return OTHER if known_function(node) is not None and node.name.function.function.known else ALL  # type: ignore[union-attr]


def _global_set(flow: Flow, node: GlobalSet) -> int:
    return flow.visit(node.value)


def _member(flow: Flow, node: Member) -> int:
    flow.all([node.object, node.key, node.fallback])
    if is_entry(node) and isinstance(node.object, LocalGet) and node.object.variable.fields is not None:
        return node.object.variable.fields[node.key]
    return ALL


def is_entry(node: Member) -> bool:
    """Whether a step of a path reads an entry that is certainly there, of a map that nobody else sees."""
    target = node.object
    if not isinstance(target, LocalGet) or target.variable.fields is None:
        return False
    value = target.variable.value
    return isinstance(value, Map) and any(key == node.key for key, _ in value.entries)


def _set_member(flow: Flow, node: SetMember) -> int:
    mask = flow.visit(node.value)
    flow.all([node.object, node.key])
    target = node.object
    if isinstance(target, LocalGet) and target.variable.fields is not None and isinstance(node.key, str):
        fields = target.variable.fields
        fields[node.key] = fields.get(node.key, 0) | (mask if node.operator is None else ALL)
    return mask if node.operator is None else ALL


def _set_self(flow: Flow, node: SetSelf) -> int:
    flow.visit(node.object)
    return flow.visit(node.value)


def _run(flow: Flow, node: Run) -> int:
    flow.all(node.args)
    if node.function == "check_variable" and isinstance(node.args[1], GlobalGet):
        return DECLARED.get(node.args[1].name.name, ALL) | NIL
    return _RESULTS.get(node.function, ALL)


def _evaluated_first(head: Node, keywords: list[tuple[str | None, Node]]) -> list[Node]:
    """The head of a call and the keyword arguments in the order in which they are evaluated."""
    values = [value for _, value in keywords]
    return [*values, head] if is_plain(head) else [head, *values]


def _call(flow: Flow, node: Call) -> int:
    flow.all(_evaluated_first(node.callee, node.keywords))
    flow.all(node.args)
    known = known_function(node.callee)
    return ALL if known is None or known.function.known is None else known.function.result_mask


def _send(flow: Flow, node: Send) -> int:
    flow.all(_evaluated_first(node.receiver, node.keywords))
    flow.all([node.method, *node.args])
    answers = _ANSWERS.get(node.receiver.mask)
    return ALL if answers is None or isinstance(node.method, Node) else answers.get(node.method, ALL)


def _super(flow: Flow, node: Super) -> int:
    flow.all(value for _, value in node.keywords)
    flow.all([node.owner, node.receiver])
    flow.all(node.args)
    return ALL


def _environment(flow: Flow, node: Environment) -> int:
    flow.all([node.outer, *node.spaces])
    return OTHER


def _macro_call(flow: Flow, node: MacroCall) -> int:
    flow.all([node.callee, node.environment, *node.thunks])
    return ALL


def _spread(flow: Flow, node: Spread) -> int:
    flow.visit(node.value)
    return ALL


def _array(flow: Flow, node: Array) -> int:
    flow.all(node.items)
    return OTHER if node.frozen else ARRAY


def _map(flow: Flow, node: Map) -> int:
    flow.all(value for _, value in node.entries)
    return OTHER if node.frozen else MAP


def _interpolation(flow: Flow, node: Interpolation) -> int:
    flow.all(node.parts)
    return STRING


# -- operators ---------------------------------------------------------------------------------------


def _binary(flow: Flow, node: Binary) -> int:
    left, right = flow.visit(node.left), flow.visit(node.right)
    flow.narrow(node.left, NUMBER, [node.right])
    flow.narrow(node.right, NUMBER)
    return _arithmetic(node.operator, left & NUMBER or NUMBER, right & NUMBER or NUMBER)


def _arithmetic(operator: str, left: int, right: int) -> int:
    """The mask of a result, from those of two numbers."""
    if operator == "/":
        return FLOAT
    floats = (left | right) & FLOAT
    if not left & INT or not right & INT:
        return floats
    if operator == "+":
        return floats | _signs(left | right)
    if operator == "%":
        return floats | (INT if left & NEGATIVE else NOT_NEGATIVE)
    if operator == "*":
        mixed = (left | right) & NEGATIVE
        return floats | (INT if mixed else NOT_NEGATIVE)
    natural = not left & NEGATIVE and not right & NOT_NEGATIVE
    return floats | (NOT_NEGATIVE if natural else INT)


def _signs(mask: int) -> int:
    """The Ints of the same signs, whatever their size."""
    return (NOT_NEGATIVE if mask & NOT_NEGATIVE else 0) | (mask & NEGATIVE)


def _compare(flow: Flow, node: Compare) -> int:
    left, right = flow.visit(node.left), flow.visit(node.right)
    if not right & ~NUMBER:
        flow.narrow(node.left, NUMBER, [node.right])
    if not left & ~NUMBER:
        flow.narrow(node.right, NUMBER)
    return BOOL


def _equal(flow: Flow, node: Equal) -> int:
    flow.all([node.left, node.right])
    return BOOL


def _logic(flow: Flow, node: Logic) -> int:
    left = flow.visit(node.left)
    before = dict(flow.state)
    right = flow.visit(node.right)
    flow.merge([(before, False), (flow.state, flow.dead)])
    bits = INT if left & INT and right & INT else 0
    if node.operator == "&&":
        return (left & (BOOL | NIL | VOID)) | right | bits
    return (left & ~(NIL | VOID)) | right | bits


def _not(flow: Flow, node: Not) -> int:
    mask = flow.visit(node.value)
    if mask == ALL or mask & OTHER:
        return BOOL | INT | OTHER
    return BOOL | (INT if mask & INT else 0)


VISITORS[Array] = _array
VISITORS[Binary] = _binary
VISITORS[Builtin] = _builtin
VISITORS[Call] = _call
VISITORS[Compare] = _compare
VISITORS[Const] = _const
VISITORS[Environment] = _environment
VISITORS[Equal] = _equal
VISITORS[GlobalGet] = _global_get
VISITORS[GlobalSet] = _global_set
VISITORS[Interpolation] = _interpolation
VISITORS[LocalGet] = _local_get
VISITORS[LocalSet] = _local_set
VISITORS[Logic] = _logic
VISITORS[MacroCall] = _macro_call
VISITORS[Map] = _map
VISITORS[Member] = _member
VISITORS[Not] = _not
VISITORS[Run] = _run
VISITORS[Send] = _send
VISITORS[SetMember] = _set_member
VISITORS[SetSelf] = _set_self
VISITORS[Spread] = _spread
VISITORS[Super] = _super
