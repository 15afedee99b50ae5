"""Clients of the official SDKs that a program brings along, such as those for other clouds."""

import time

import anthropic
import openai
import pytest
from faults import FaultyServer, chunk, head
from google import genai
from loopback import Loopback
from provider_samples import CALLS, EXPECTED, KEY, QUICK, REQUEST, SERVICES, TOOLS, made

from ai_tools.providers import errors
from ai_tools.providers.anthropic import AnthropicProvider
from ai_tools.providers.gemini import GeminiProvider
from ai_tools.providers.openai import OpenAIProvider
from ai_tools.providers.protocol import Request, Settings

OPENAI, ANTHROPIC, GEMINI = SERVICES[:3]


def azure(url):
    client = openai.AzureOpenAI(azure_endpoint=url, api_key=KEY, api_version="2024-10-21")
    return OpenAIProvider("gpt-5", client=client, retry=QUICK)


def anthropic_like(url):
    return AnthropicProvider("claude", client=anthropic.Anthropic(base_url=url, api_key=KEY), retry=QUICK)


def gemini_like(url):
    options = genai.types.HttpOptions(base_url=url)
    return GeminiProvider("gemini", client=genai.Client(api_key=KEY, http_options=options), retry=QUICK)


OWN = [(OPENAI, azure), (ANTHROPIC, anthropic_like), (GEMINI, gemini_like)]
every_client = pytest.mark.parametrize(("service", "make"), OWN, ids=[service.name for service, _ in OWN])


@every_client
def test_a_client_of_ones_own(service, make):
    """Its address and its key are used, plain and streamed."""
    with Loopback() as server:
        provider = make(server.url)
        service.plain(server, "Hm.", CALLS, "calls")
        assert made(provider.complete(REQUEST).calls) == EXPECTED
        service.stream(server, "Hm.", CALLS, "calls")
        assert made(list(provider.stream(REQUEST))[-1].reply.calls) == EXPECTED
        assert all(KEY in str(request.headers) for request in server.requests)
        provider.close()


@every_client
def test_the_policy_is_the_only_one(service, make):
    """The SDK does not retry on its own: there are as many requests as the policy allows."""
    with Loopback() as server:
        provider = make(server.url)
        for _ in range(QUICK.attempts):
            server.reply({"error": {"message": "later"}}, status=429)
        with pytest.raises(errors.RateLimitedError):
            provider.complete(REQUEST)
        assert len(server.requests) == QUICK.attempts
        provider.close()


@pytest.mark.parametrize(("service", "make"), OWN[:2], ids=["openai", "anthropic"])
def test_a_silent_stream_of_a_client_of_ones_own_ends(service, make):
    """The connection is taken from the response, so the deadline holds here as well."""
    script = [head(), chunk(service.encoded(service.events("Hello, you")[:4])), 9]
    with FaultyServer(script) as server:
        provider = make(server.url)
        started = time.monotonic()
        with pytest.raises(errors.RequestTimeoutError):
            list(provider.stream(Request(REQUEST.messages, tools=TOOLS, timeout=0.2)))
        assert time.monotonic() - started < 2
        assert server.gone.wait(2)
        provider.close()


def test_azure_names_the_limit_as_openai_does():
    """The deployment is part of the path; the token limit has the new name."""
    with Loopback() as server:
        provider = azure(server.url)
        OPENAI.plain(server, "Hm.")
        provider.complete(Request(REQUEST.messages, settings=Settings(max_tokens=9)))
        request = server.requests[0]
        assert request.path == "/openai/deployments/gpt-5/chat/completions?api-version=2024-10-21"
        assert request.body["max_completion_tokens"] == 9
        assert "max_tokens" not in request.body
        provider.close()
