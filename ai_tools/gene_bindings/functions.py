"""Tools of Gene functions: the signature is the schema, ``^intent`` the description.

    (fn word_count
      ^intent "Count the words of a text"
      ^params {^text "The text" ^min "Letters that a word has at least"}
      [text: String min: Int = 1]
      …)
    (registry .register word_count)

A parameter ``^context`` gets the execution context of the call, and no schema shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidArgumentsError
from ai_tools.gene_bindings.handlers import GeneHandler
from ai_tools.gene_bindings.types import Form, NoFormError, form_of
from ai_tools.gene_bindings.values import plain
from ai_tools.tool import Tool, invalid
from ai_tools.types import ToolDefinition
from gene.data.names import gene_name, python_name
from gene.runtime.signatures import Parameter, parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ai_tools.gene_bindings.types import Convert
    from ai_tools.types import ExecutionContext

CONTEXT = "context"
"""The keyword parameter that gets the execution context."""

_DESCRIBED = ("strict", "tags", "annotations", "returns")
_BEHAVIOUR = ("timeout", "max_result", "isolated", "sequential")
_ALWAYS = object()
_DEFAULTS = {str: "string", bool: "boolean", int: "number", float: "number"}


def of_function(
    function: Callable[..., Any], *, name: str | None = None, description: str | None = None, **options: Any
) -> Tool:
    """Return the tool that a Gene function defines.

    Args:
        function: The function. Its parameters are the tool's: declared types, defaults, keyword and rest
            parameters. Of its properties ``^intent`` is the description, ``^params`` a map of parameters to
            their descriptions, or to maps of JSON Schema keywords; ``^examples`` is kept with the definition.
        name: In place of the function's name.
        description: In place of ``^intent``.
        **options: `strict`, `tags`, `annotations`, `returns`, `timeout`, `max_result`, `isolated`,
            `sequential` of `Tool`.

    Raises:
        InvalidDefinitionError: It cannot be a tool; the message names the parameter at fault.
    """
    _check(function, name or "")
    named = _name(function) if name is None else name
    unknown = options.keys() - {*_DESCRIBED, *_BEHAVIOUR}
    if unknown:
        raise invalid(named, f"has unknown entries: {', '.join(sorted(unknown))}")
    signature = Signature(function, named)
    described = {key: plain(options[key]) for key in _DESCRIBED if key in options}
    if (examples := getattr(function, "gene_examples", None)) is not None:
        described["annotations"] = {"examples": plain(examples), **described.get("annotations", {})}
    text = getattr(function, "gene_intent", "") if description is None else description
    return Tool(
        ToolDefinition(named, text, signature.schema, **described),
        GeneHandler(signature.spread),
        takes_context=True,
        is_async=False,  # the handler waits for futures
        source=function,
        **{key: options[key] for key in _BEHAVIOUR if key in options},
    )


class Signature:
    """What a Gene function takes, as a tool: its schema, and how checked arguments become a call.

    Args:
        function: A function that Gene code defines.
        tool: The tool's name.

    Attributes:
        schema: JSON Schema of the arguments.

    Raises:
        InvalidDefinitionError: A parameter has no JSON form.
    """

    def __init__(self, function: Callable[..., Any], tool: str) -> None:
        self._function = function
        self._tool = tool
        every = parameters_of(function)
        parameters = [each for each in every if not _is_context(each)]
        self._takes_context = len(parameters) < len(every)
        self._places = [(each.name, each.kind, value) for each, value in _absent(function, parameters)]
        self._forms = {each.name: self._form(each) for each in parameters if each.kind != "keywords"}
        self.schema = self._schema(parameters)
        self._converters = {name: form.convert for name, form in self._forms.items() if form.convert}
        required = self.schema.get("required", ())
        self._keywords = {each.name: python_name(each.name) for each in parameters if each.kind == "keyword"}
        self._nils = {
            each.name: None
            for each in parameters
            if each.kind == "keyword" and not each.has_default and each.name not in required
        }

    def _form(self, parameter: Parameter) -> Form:
        if parameter.kind == "rest":
            return Form({"type": "array"})
        try:
            form = form_of(parameter.type, self._function.__globals__)
        except NoFormError as error:
            raise invalid(self._tool, f"parameter {parameter.name!r}: {error}") from None
        if parameter.type is None and type(parameter.default) in _DEFAULTS:
            return Form({"type": _DEFAULTS[type(parameter.default)]})
        return form

    def _schema(self, parameters: list[Parameter]) -> dict[str, Any]:
        notes = self._notes()
        schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
        required = []
        for each in parameters:
            if each.kind == "keywords":
                schema["additionalProperties"] = True
                continue
            made = {**self._forms[each.name].schema, **notes.pop(each.name, {})}
            if type(each.default) in _DEFAULTS:
                made.setdefault("default", each.default)
            schema["properties"][each.name] = made
            if not (each.has_default or each.kind == "rest" or _allows_nil(made)):
                required.append(each.name)
        if notes:
            known = ", ".join(schema["properties"]) or "none"
            raise invalid(self._tool, f"^params describes {next(iter(notes))!r}; its parameters are: {known}")
        return {**schema, "required": required} if required else schema

    def _notes(self) -> dict[str, dict[str, Any]]:
        """Return what ``^params`` says of each parameter, as keywords of JSON Schema."""
        given = plain(getattr(self._function, "gene_params", {}))
        if not isinstance(given, dict):
            raise invalid(self._tool, '^params must be a map, such as {^text "The text to count"}')
        for name, note in given.items():
            if not isinstance(note, str | dict):
                raise invalid(self._tool, f"^params: {name!r} must be a description, or a map of keywords")
        return {
            name: {"description": note} if isinstance(note, str) else note for name, note in given.items()
        }

    def spread(self, args: dict[str, Any], context: ExecutionContext) -> Any:
        """Call the function with checked arguments.

        Raises:
            InvalidArgumentsError: A value obeys the schema, but its type refuses it.
        """
        given = {**self._nils, **args}
        for name, convert in self._converters.items():
            if name in args:
                given[name] = self._converted(name, convert, args[name])
        if self.schema["additionalProperties"]:
            self._check_collected(args)
        positional: list[Any] = []
        for name, kind, absent in self._places:
            if kind == "rest":
                positional += given.pop(name, ())
            else:
                positional.append(given.pop(name, absent))
        if self._takes_context:
            given[CONTEXT] = context
        return self._function(*positional, **{self._keywords.get(name, name): given[name] for name in given})

    def _converted(self, name: str, convert: Convert, value: Any) -> Any:
        try:
            return convert(value)
        except (ValueError, SyntaxError) as error:
            raise InvalidArgumentsError(self._tool, name, str(error)) from error

    def _check_collected(self, args: dict[str, Any]) -> None:
        """Refuse what ``^rest...`` must not collect: the context, and the compiler's own parameters."""
        for name in args:
            if name not in self._forms and (
                name.startswith("%") or (name == CONTEXT and self._takes_context)
            ):
                raise InvalidArgumentsError(self._tool, name, "is not a parameter")


def _absent(function: Any, parameters: list[Parameter]) -> Iterator[tuple[Parameter, Any]]:
    """Yield the parameters that are passed by position, with what stands for one that is not given.

    Every one before the rest parameter has a Python default: the constant, or the mark on which Gene code
    evaluates its default expression. Those after it are taken from the end of what is passed: they have to be
    there, so a default of theirs means nothing.
    """
    defaults = iter(function.__defaults__ or ())
    for each in parameters:
        if each.kind == "rest":
            defaults = iter(())
            yield each, None
        elif each.kind == "positional":
            value = next(defaults, _ALWAYS)
            each.has_default = each.has_default and value is not _ALWAYS
            yield each, value if each.has_default else None


def _is_context(parameter: Parameter) -> bool:
    return parameter.kind == "keyword" and parameter.name == CONTEXT


def _allows_nil(schema: dict[str, Any]) -> bool:
    """Whether a type says ``Nil`` itself: such an argument may be left out."""
    kind = schema.get("type")
    return (isinstance(kind, list) and "null" in kind) or {"type": "null"} in schema.get("anyOf", ())


def _check(function: Any, tool: str) -> None:
    names = function.__code__.co_varnames
    if "self" in names[:1]:  # no parameter can have this name
        raise invalid(tool, "a method cannot be a tool by itself; wrap it: (fn [x] (object .method x))")
    if "%caller" in names:
        raise invalid(tool, "a macro cannot be a tool: it takes code, not values")


def _name(function: Any) -> str:
    name: str = function.__name__
    if name.startswith("%"):
        raise invalid("", 'the function has no name of its own; give ^name "…"')
    return gene_name(name)
