"""Chats of users with their Backboard assistants, which call the tools of a registry.

    chat = BackboardChat(registry, BackboardProvider(sends_tools=False))
    for event in chat.stream("ann", "What is the weather in Oslo?"):
        …

Each user has one assistant, made on the first contact with all tools of the registry.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

from ai_tools.agent_events import ToolFinished, ToolStarted
from ai_tools.backboard_users import Assistant, UserStore
from ai_tools.messages import USER, Message, result_message
from ai_tools.providers.backboard import BackboardProvider, is_missing
from ai_tools.providers.errors import ProviderError
from ai_tools.providers.protocol import Done, Provider, Reply, Request, Settings, Usage

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Sequence

    from ai_tools.cancellation import CancelToken
    from ai_tools.providers.protocol import Event
    from ai_tools.registry import ToolRegistry
    from ai_tools.types import ToolDefinition

DEFAULT_FILE = "backboard-users.sqlite3"
"""Where assistants are remembered: in the directory that the program runs in."""

DEFAULT_ROUNDS = 20
"""How often one answer may ask for tools; a model that asks more often goes round in circles."""

_CANCEL_TIMEOUT = 10.0  # seconds for tidying up after a failure


class TooManyRoundsError(ProviderError):
    """The model asked for tools again and again. `rounds` is how often it may."""

    code = "too_many_rounds"

    def __init__(self, rounds: int) -> None:
        super().__init__(f"The model asked for tools more than {rounds} times.", provider="backboard")
        self.rounds = rounds


class BackboardChat:
    """Lets users chat with assistants that have the tools of a registry.

    Args:
        registry: The tools. What is registered or disabled later reaches a user's assistant on the user's
            next message.
        provider: The service; None for Backboard's own with the key in ``BACKBOARD_API_KEY``. It should not
            send tools along, since the assistants have them.
        users: Where assistants are remembered: a file or a store.
        name: The name of the assistants.
        system_prompt: What new assistants are told before every conversation.
        rounds: How often one answer may ask for tools.
        parallel: How many tools may run at once.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        provider: BackboardProvider | None = None,
        *,
        users: UserStore | str | os.PathLike[str] = DEFAULT_FILE,
        name: str = "assistant",
        system_prompt: str = "",
        rounds: int = DEFAULT_ROUNDS,
        parallel: int = 1,
    ) -> None:
        self.registry = registry
        self.provider = provider or BackboardProvider(sends_tools=False)
        self.users = users if isinstance(users, UserStore) else UserStore(users, self.provider.base_url)
        self.name = name
        self.system_prompt = system_prompt
        self.rounds = rounds
        self.parallel = parallel
        self._lock = threading.Lock()

    # Users and their assistants

    def ensure_user_exists(self, user: str) -> str:
        """Return the id of a user's assistant, which is made if there is none.

        A new assistant is given all enabled tools of the registry (an empty list if there are none). One from
        before whose tools are not those of the registry gets them now.

        Args:
            user: Whatever identifies the user.

        Raises:
            ProviderError: The assistant could not be made or updated.
        """
        tools = self.registry.definitions()
        digest = _digest(tools)
        with self._lock:  # two first messages at once must not make two assistants
            known = self.users.get(user)
            if known is None:
                return self._first(user, tools, digest)
            if known.tools != digest:
                known = self._update(known, tools, digest)
                self.users.put(user, known)
            return known.id

    def adopt(self, user: str, assistant_id: str) -> None:
        """Make an assistant from before that of a user; it gets the tools on the user's next message."""
        self.users.put(user, Assistant(assistant_id, ""))

    def _first(self, user: str, tools: Sequence[ToolDefinition], digest: str) -> str:
        made = self._create(tools, digest)
        kept = self.users.add(user, made)
        if kept.id != made.id:  # another process was faster
            with contextlib.suppress(ProviderError):
                self.provider.delete_assistant(made.id)
        return kept.id

    def _create(self, tools: Sequence[ToolDefinition], digest: str) -> Assistant:
        made = self.provider.create_assistant(self.name, tools, self.system_prompt)
        return Assistant(made, digest)

    def _update(self, known: Assistant, tools: Sequence[ToolDefinition], digest: str) -> Assistant:
        try:
            self.provider.update_assistant(known.id, tools)
        except ProviderError as error:
            if not is_missing(error):
                raise
            return self._create(tools, digest)
        return Assistant(known.id, digest)

    # Chats

    def chat(
        self,
        user: str,
        text: str,
        *,
        thread_id: str | None = None,
        timeout: float | None = None,
        cancel: CancelToken | None = None,
    ) -> Reply:
        """Send a user's message, run the tools that the model asks for, and return the whole answer.

        Args:
            user: Whatever identifies the user.
            text: The message.
            thread_id: The thread to go on with; None begins one. ``reply.extras["thread_id"]`` names it.
            timeout: Seconds that each request may take.
            cancel: Lets another thread end the chat.

        Raises:
            ProviderError: A request failed; a run that waited for outputs has been cancelled.
            TooManyRoundsError: The model asked for tools too often.
        """

        def ask(request: Request) -> Iterator[Event]:
            yield Done(self.provider.complete(request))

        *_, last = self._run(ask, user, text, thread_id, timeout, cancel)
        assert isinstance(last, Done)
        return last.reply

    def stream(
        self,
        user: str,
        text: str,
        *,
        thread_id: str | None = None,
        timeout: float | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[Event | ToolStarted | ToolFinished]:
        """Send a user's message and yield events as they come; see `chat`.

        Text goes on after tools have run. The one `Done` at the end has the text and usage of all rounds.
        Closing the iterator early cancels the run.
        """
        return self._run(self.provider.stream, user, text, thread_id, timeout, cancel)

    async def achat(self, user: str, text: str, **options: Any) -> Reply:
        """Chat and await the whole answer; see `chat`. A cancelled await ends the chat."""
        from ai_tools.providers import threads

        return await threads.complete(_Turn(self, user, text, options), _carrier(options))

    def astream(self, user: str, text: str, **options: Any) -> AsyncIterator[Any]:
        """Chat and yield events asynchronously; see `stream`. Leaving early ends the chat."""
        from ai_tools.providers import threads

        return threads.stream(_Turn(self, user, text, options), _carrier(options))

    def _run(
        self,
        ask: Callable[[Request], Any],
        user: str,
        text: str,
        thread_id: str | None,
        timeout: float | None,
        cancel: CancelToken | None,
    ) -> Iterator[Event | ToolStarted | ToolFinished]:
        settings = _settings(self.ensure_user_exists(user), thread_id)
        messages = [Message(USER, text)]
        replies: list[Reply] = []
        with self._tidying(replies):
            for _ in range(self.rounds + 1):
                tools = self.registry.definitions()
                request = Request(messages, tools=tools, settings=settings, timeout=timeout, cancel=cancel)
                with contextlib.closing(ask(request)) as events:
                    for event in events:
                        if isinstance(event, Done):
                            replies.append(event.reply)
                        else:
                            yield event
                if not replies[-1].calls:
                    yield Done(_together(replies))
                    return
                if len(replies) <= self.rounds:
                    messages.append(replies[-1].to_message())
                    messages += yield from self._call(replies[-1])
            raise TooManyRoundsError(self.rounds)

    def _call(self, reply: Reply) -> Generator[ToolStarted | ToolFinished, None, list[Message]]:
        """Run the calls of a reply, tell of each, and return the messages that answer them."""
        for call in reply.calls:
            yield ToolStarted(call)
        results = self.registry.call_all(reply.calls, parallel=self.parallel)
        for call, result in zip(reply.calls, results, strict=True):
            yield ToolFinished(call, result)
        return [result_message(result) for result in results]

    @contextlib.contextmanager
    def _tidying(self, replies: Sequence[Reply]) -> Iterator[None]:
        """Return a context that cancels the run if it is left early: a thread whose run waits is stuck."""
        try:
            yield
        except BaseException:
            link = replies[-1].extras if replies and replies[-1].calls else {}
            if link.get("run_id"):
                with contextlib.suppress(ProviderError):
                    self.provider.cancel_run(link["thread_id"], link["run_id"], timeout=_CANCEL_TIMEOUT)
            raise

    def close(self) -> None:
        """Close the store of users and give back connections."""
        self.users.close()
        self.provider.close()


class _Turn(Provider):
    """One message of a user as a provider, which is what `threads` can run."""

    def __init__(self, chat: BackboardChat, user: str, text: str, options: dict[str, Any]) -> None:
        self._chat = chat
        self._said = user, text
        self._options = options

    def complete(self, request: Request) -> Reply:
        return self._chat.chat(*self._said, **{**self._options, "cancel": request.cancel})

    def stream(self, request: Request) -> Iterator[Any]:
        return self._chat.stream(*self._said, **{**self._options, "cancel": request.cancel})


def _carrier(options: dict[str, Any]) -> Request:
    return Request((), cancel=options.get("cancel"))


def _settings(assistant_id: str, thread_id: str | None) -> Settings:
    place = {"thread_id": thread_id} if thread_id else {"assistant_id": assistant_id}
    return Settings(extra=place)


def _together(replies: Iterable[Reply]) -> Reply:
    """Return the one answer that the user got in several rounds."""
    *_, last = found = list(replies)
    used = [reply.usage for reply in found if reply.usage is not None]
    return Reply(
        "".join(reply.text for reply in found),
        stop_reason=last.stop_reason,
        usage=sum(used, Usage()) if used else None,
        reasoning="".join(reply.reasoning for reply in found),
        extras=last.extras or next((reply.extras for reply in reversed(found) if reply.extras), {}),
        provider=last.provider,
        raw=last.raw,
    )


def _digest(tools: Iterable[ToolDefinition]) -> str:
    """Return what tells one list of tools from another."""
    import hashlib
    import json

    from ai_tools.formats.backboard import export

    return hashlib.sha256(json.dumps(export(tools), sort_keys=True).encode()).hexdigest()
