"""What holds for all tests."""

import contextlib
import signal

import pytest

# Who starts the tests in the background may have them ignore Ctrl-C, and with them every process they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def made_once():
    """Keep one server and one provider for each service: making an SDK's client reads all certificates."""
    from loopback import Loopback
    from provider_samples import SERVICES

    with contextlib.ExitStack() as opened:
        for service in SERVICES:
            service.server = opened.enter_context(Loopback())
            service.made = service.provider(service.server.url)
            opened.callback(service.made.close)
        yield
