"""A tool's definition from a Python function: its signature and its docstring."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ai_tools import docstrings
from ai_tools.errors import InvalidArgumentsError, InvalidDefinitionError
from ai_tools.tool import context_arguments, context_kind
from ai_tools.typeforms import Form, Forms, NoFormError, with_default
from ai_tools.types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai_tools.types import ExecutionContext

_EMPTY = inspect.Parameter.empty


class Signature:
    """What a function takes, as a tool: its schema, and how checked arguments become a call.

    A parameter annotated `ExecutionContext` or `ToolContext` is filled in and never shown in the schema.

    Args:
        function: Any callable with a signature.
        name: The tool's name; None for the function's.

    Raises:
        InvalidDefinitionError: A parameter has no JSON form, or the function has no name.
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        self.function = function
        self.name = _name(function) if name is None else name
        self.description, self._notes = docstrings.read(function)
        self.hidden: dict[str, str] = {}
        self.positional: list[str] = []
        self.converters: dict[str, Callable[[Any], Any]] = {}
        self.parameters = self._read()

    def _read(self) -> dict[str, Any]:
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError) as error:
            raise self._wrong(f"has no signature to read ({error})") from None
        forms = Forms(_namespace(self.function))
        schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
        required = []
        for parameter in signature.parameters.values():
            if kind := context_kind(parameter.annotation):
                self.hidden[parameter.name] = kind
            elif parameter.kind is parameter.VAR_KEYWORD:
                schema["additionalProperties"] = self._form(parameter, forms).schema or True
            else:
                schema["properties"][parameter.name] = self._property(parameter, forms)
                if parameter.default is _EMPTY:
                    required.append(parameter.name)
        if required:
            schema["required"] = required
        if forms.definitions:
            schema["$defs"] = forms.definitions
        return schema

    def _property(self, parameter: inspect.Parameter, forms: Forms) -> dict[str, Any]:
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise self._wrong(f"parameter *{parameter.name} has no name for a model; use a list parameter")
        if parameter.kind is parameter.POSITIONAL_ONLY:
            self.positional.append(parameter.name)
        form = self._form(parameter, forms)
        if form.convert is not None:
            self.converters[parameter.name] = form.convert
        schema = dict(form.schema)
        if (note := self._notes.get(parameter.name)) and "description" not in schema:
            schema["description"] = note
        return schema if parameter.default is _EMPTY else with_default(schema, parameter.default)

    def _form(self, parameter: inspect.Parameter, forms: Forms) -> Form:
        annotation = parameter.annotation
        if annotation is _EMPTY:
            # Without an annotation a default says the type; None says nothing.
            default = parameter.default
            annotation = Any if default is _EMPTY or default is None else type(default)
        try:
            return forms.of(annotation)
        except NoFormError as error:
            raise self._wrong(f"parameter {parameter.name!r}: {error}") from None

    def _wrong(self, reason: str) -> InvalidDefinitionError:
        return InvalidDefinitionError(f"Invalid tool {self.name!r}: {reason}", tool=self.name)


class Binding:
    """Calls a function with checked arguments. A class, so that it can be sent to a worker process.

    Args:
        function: The function.
        name: The tool's name, for errors.
    """

    def __init__(self, function: Callable[..., Any], name: str, signature: Signature | None = None) -> None:
        self.func = function
        self._name = name
        self._signature = signature or Signature(function, name)

    def __call__(self, args: dict[str, Any], context: ExecutionContext) -> Any:
        """Convert the arguments to the types of the signature and call the function.

        Raises:
            InvalidArgumentsError: A value obeys the schema, but its type refuses it.
        """
        signature = self._signature
        if signature.converters:
            args = {name: self._convert(name, value) for name, value in args.items()}
        if signature.hidden:
            args = {**args, **context_arguments(signature.hidden, context)}
        if signature.positional:
            args = dict(args)
            positional = [args.pop(name) for name in signature.positional if name in args]
            return self.func(*positional, **args)
        return self.func(**args)

    def _convert(self, name: str, value: Any) -> Any:
        convert = self._signature.converters.get(name)
        if convert is None:
            return value
        try:
            return convert(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise InvalidArgumentsError(self._name, name, str(error)) from error

    def __reduce__(self) -> tuple[Any, ...]:
        return Binding, (self.func, self._name)


def define(
    signature: Signature,
    *,
    description: str | None = None,
    returns: dict[str, Any] | None = None,
    **options: Any,
) -> ToolDefinition:
    """Return the definition of a function as a tool.

    Args:
        signature: The function's signature as a tool.
        description: In place of the docstring's.
        returns: JSON Schema of the result; by default of the return annotation, where that says something.
        **options: `strict`, `tags`, `annotations` of `ToolDefinition`.
    """
    text = signature.description if description is None else description
    returned = _returns(signature.function) if returns is None else returns
    return ToolDefinition(signature.name, text, signature.parameters, returns=returned, **options)


def _returns(function: Any) -> dict[str, Any] | None:
    annotation = getattr(function, "__annotations__", {}).get("return", Any)
    forms = Forms(_namespace(function))
    try:
        schema = forms.of(annotation).schema
    except NoFormError:
        return None
    if forms.definitions:
        schema = {**schema, "$defs": forms.definitions}
    return schema or None


def _name(function: Any) -> str:
    name = getattr(function, "__name__", "")
    if not name or name == "<lambda>":
        raise InvalidDefinitionError(f"Invalid tool: {function!r} has no name of its own; give name=…")
    return str(name)


def _namespace(function: Any) -> dict[str, Any]:
    """Return what the names in a function's annotations mean: its module's, and those it closes over."""
    inner = inspect.unwrap(function)
    inner = getattr(inner, "__func__", inner)
    if not hasattr(inner, "__globals__"):
        inner = getattr(type(inner), "__call__", inner)  # noqa: B004 - the method itself is wanted
    namespace = dict(getattr(inner, "__globals__", {}))
    code, cells = getattr(inner, "__code__", None), getattr(inner, "__closure__", None)
    if code is not None and cells:
        for name, cell in zip(code.co_freevars, cells, strict=True):
            try:
                namespace[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
    return namespace
