"""A conversation: its messages, the part of it that fits into a model's context, its file.

A conversation never holds what a service refuses. Calls are answered one for one, in the message or messages
right after the one that makes them; whoever adds something else first is told so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools import tokens
from ai_tools.messages import (
    ASSISTANT,
    SYSTEM,
    TOOL,
    USER,
    Message,
    from_dict,
    result_message,
    to_dict,
    to_result,
    unanswered,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ai_tools.registry import ToolRegistry
    from ai_tools.types import ToolCall, ToolResult

VERSION = 1
"""Of the saved form."""


class ConversationError(ValueError):
    """A conversation cannot be used this way: a message out of place, a file that holds none."""


class ContextLimitError(ConversationError):
    """Not even what has to be in the context fits into the limit.

    Attributes:
        needed: Tokens of the system prompt, the last message of the user and the last exchange.
        limit: Tokens that there are.
    """

    def __init__(self, needed: int, limit: int) -> None:
        super().__init__(
            f"The system prompt and the latest messages take about {needed:,} tokens, and only {limit:,} are "
            "allowed. Allow more, or shorten the results of the tools."
        )
        self.needed = needed
        self.limit = limit


class Conversation:
    """The messages of a conversation, oldest first, and its system prompt.

    Args:
        system_prompt: What the model is told before everything else; "" for nothing.
        count: How many tokens a message takes; by default the estimate of `ai_tools.tokens`.
    """

    gene_kind = "ai_tools.gene_bindings.chat_kinds:CONVERSATION"

    def __init__(self, system_prompt: str = "", *, count: Callable[[Message], int] = tokens.count) -> None:
        self.system_prompt = system_prompt
        self._count = count
        self._messages: list[Message] = []
        self._counts: list[int] = []  # of the first messages, as far as somebody asked

    # Adding

    def add(self, message: Message | str, text: str = "", **fields: Any) -> Message:
        """Add a message: ``add("user", "Hello")``, or one that is made already.

        Args:
            message: A message, or the role of a new one.
            text: The text of a new one.
            **fields: The other fields of a new one, as for `Message`.

        Returns:
            The message as added. Calls without an id, or with the id of another, have got one of their own.

        Raises:
            ConversationError: It is a system message (set `system_prompt`), it comes before an open call is
                answered, or it answers a call that is not open.
        """
        made = message if isinstance(message, Message) else Message(message, text, **fields)
        if made.role == SYSTEM:
            raise ConversationError("A conversation has one system message. Set `system_prompt` instead.")
        self._check_place(made)
        if made.calls:
            made = _with_ids(made)
        self._messages.append(made)
        return made

    def add_result(self, result: ToolResult) -> Message:
        """Add the result of an open call.

        Raises:
            ConversationError: No open call has the result's id.
        """
        return self.add(result_message(result))

    def add_results(self, results: Iterable[ToolResult]) -> None:
        """Add the results of open calls, as `ToolRegistry.call_all` returns them."""
        for result in results:
            self.add_result(result)

    def _check_place(self, message: Message) -> None:
        open_ids = [call.id for call in self.open_calls]
        if message.role == TOOL and message.call_id not in open_ids:
            raise ConversationError(
                f"There is no open call with the id {message.call_id!r}; open are: {_listed(open_ids)}."
            )
        if message.role != TOOL and open_ids:
            raise ConversationError(
                f"The calls {_listed(open_ids)} have to be answered before a message of the {message.role}."
            )

    def clear(self) -> None:
        """Forget all messages. The system prompt stays."""
        self._messages.clear()
        self._counts.clear()

    # Reading

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages, without the system prompt."""
        return tuple(self._messages)

    @property
    def open_calls(self) -> list[ToolCall]:
        """The calls that wait for a result."""
        return unanswered(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def token_count(self) -> int:
        """Return how many tokens the system prompt and all messages take."""
        return self._system_tokens(self.system_prompt) + sum(self._all_counts())

    def get_context(
        self, max_tokens: int | None = None, *, registry: ToolRegistry | None = None
    ) -> list[Message]:
        """Return what a model is to see: the system message, then the newest messages that fit.

        A call and its results are kept or left out together; an exchange that is not complete is left out.
        The window begins with a message of the user, as services demand; where the last one is too far back,
        it is put before the window, so that a long run of calls does not lose its task.

        Args:
            max_tokens: Tokens for all of it; None for no limit.
            registry: Its documentation of the enabled tools is added to the system prompt, for models that
                take no definitions.

        Raises:
            ContextLimitError: Not even the system prompt, the user's last message and the newest message or
                exchange fit.
        """
        system = self.system_prompt
        if registry is not None:
            from ai_tools.documentation import document

            system = "\n\n".join(text for text in (system, document(registry)) if text)
        head = [Message(SYSTEM, system)] if system else []
        if max_tokens is None:
            return head + self._messages[: self._closed()]
        return head + self._window(max_tokens, self._system_tokens(system))

    def _closed(self) -> int:
        """Return how many messages there are before an exchange that is not complete."""
        end = len(self._messages)
        if self.open_calls:
            while self._messages[end := end - 1].role != ASSISTANT:
                pass
        return end

    def _window(self, limit: int, used: int) -> list[Message]:
        messages, counts = self._messages[: self._closed()], self._all_counts()
        task = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == USER), None)
        used += 0 if task is None else counts[task]
        start = newest = len(messages)
        for at in range(len(messages) - 1, -1, -1):
            cost = sum(counts[index] for index in range(at, start) if index != task)
            if messages[at].role == TOOL:
                continue  # goes with its call
            if used + cost > limit:
                if start == newest:
                    raise ContextLimitError(used + cost, limit)
                break
            start, used = at, used + cost
        if task is not None and task < start:
            return [messages[task], *messages[start:]]
        while start < newest and messages[start].role != USER:
            start += 1
        return messages[start:]

    def _all_counts(self) -> list[int]:
        for message in self._messages[len(self._counts) :]:
            self._counts.append(self._count(message))
        return self._counts

    def _system_tokens(self, system: str) -> int:
        return self._count(Message(SYSTEM, system)) if system else 0

    def transcript(self) -> str:
        """Return the conversation as text for people: a paragraph for each message, call and result."""
        return "\n\n".join(line for message in self._messages for line in _paragraphs(message))

    def to_openai_format(self) -> list[dict[str, Any]]:
        """Return the messages of a request to OpenAI's Chat Completions, the system message included."""
        from ai_tools.openai_messages import to_openai

        return to_openai(self.get_context())

    # Saving

    def to_dict(self) -> dict[str, Any]:
        """Return the conversation as JSON kinds."""
        return {
            "version": VERSION,
            "system_prompt": self.system_prompt,
            "messages": [to_dict(message) for message in self._messages],
        }

    @classmethod
    def from_dict(
        cls, saved: Mapping[str, Any], *, count: Callable[[Message], int] = tokens.count
    ) -> Conversation:
        """Return the conversation that `to_dict` wrote.

        Raises:
            ConversationError: It is none.
        """
        try:
            version, made = saved["version"], cls(saved["system_prompt"], count=count)
            for message in [from_dict(fields) for fields in saved["messages"]] if version == VERSION else ():
                made.add(message)
        except (KeyError, TypeError, ValueError) as error:
            raise ConversationError(f"This is no saved conversation: {error!r}.") from error
        if version != VERSION:
            raise ConversationError(f"It has the version {version!r}; this program reads {VERSION}.")
        return made

    def like(self, saved: Mapping[str, Any]) -> Conversation:
        """Return the conversation that `to_dict` wrote, with this one's counter.

        Raises:
            ConversationError: It is none.
        """
        return self.from_dict(saved, count=self._count)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the conversation to a JSON file in one step.

        Raises:
            OSError: The file cannot be written; what it held is still there.
            TypeError: A message holds something that has no JSON form; the file is unchanged.
        """
        from ai_tools import json_files

        json_files.write(path, self.to_dict())

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, count: Callable[[Message], int] = tokens.count
    ) -> Conversation:
        """Read a conversation from its file.

        Raises:
            OSError: The file cannot be read.
            ConversationError: It holds no conversation.
        """
        from ai_tools import json_files

        try:
            return cls.from_dict(json_files.read(path), count=count)
        except ValueError as error:
            raise ConversationError(f"{path}: {error}") from error


def _with_ids(message: Message) -> Message:
    from ai_tools.batch import with_ids

    calls = with_ids(message.calls)
    if all(new is old for new, old in zip(calls, message.calls, strict=True)):
        return message
    return Message(message.role, message.text, parts=message.parts, calls=calls, extras=message.extras)


def _listed(ids: Sequence[str | None]) -> str:
    return ", ".join(map(repr, ids)) or "none"


def _paragraphs(message: Message) -> Iterator[str]:
    if message.role == TOOL:
        result = to_result(message)
        yield f"{'error' if result.is_error else 'result'} of {result.name}: {result.text}"
        return
    if message.text:
        yield f"{message.role}: {message.text}"
    for call in message.calls if message.role == ASSISTANT else ():
        yield f"{message.role} calls {call.name}: {_arguments(call)}"


def _arguments(call: ToolCall) -> str:
    import json

    return json.dumps(call.arguments, ensure_ascii=False) if call.arguments else call.raw_arguments or "{}"
