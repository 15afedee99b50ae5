"""Retries, deadlines, errors and streams of bytes: what all providers are built of."""

import email.utils
import http.client
import http.server
import threading
import time

import pytest

from ai_tools.cancellation import CancelToken
from ai_tools.providers import diagnosis, errors, sse
from ai_tools.providers.control import Control
from ai_tools.providers.http import HttpClient, without_password
from ai_tools.providers.ollama import _from_environment
from ai_tools.providers.retry import RetryPolicy

BUSY = errors.OverloadedError("busy", status=500)


def control(seconds=5.0, cancel=None):
    return Control("p", seconds, cancel)


class Attempts:
    """Fails with the given errors, one after the other, then succeeds."""

    def __init__(self, *failures, watched=None):
        self.failures = list(failures)
        self.watched = watched
        self.count = 0

    def __call__(self):
        self.count += 1
        if self.watched is not None:
            self.watched.sent = True
        if self.failures:
            raise self.failures.pop(0)
        return "done"


def test_failures_that_pass_are_tried_again():
    """Up to the number of attempts; the last error is raised."""
    policy = RetryPolicy(3, base=0.001)
    assert policy.run(Attempts(BUSY, BUSY), control()) == "done"
    attempts = Attempts(BUSY, BUSY, errors.ConnectionFailedError("last"))
    with pytest.raises(errors.ConnectionFailedError, match="last"):
        policy.run(attempts, control())
    assert attempts.count == 3


@pytest.mark.parametrize(
    "error",
    [
        errors.BadRequestError("x"),
        errors.AuthenticationError("x"),
        errors.QuotaExceededError("x"),
        ValueError(),
    ],
)
def test_failures_that_stay_are_raised_at_once(error):
    """The same request would fail in the same way."""
    attempts = Attempts(error)
    with pytest.raises(type(error)):
        RetryPolicy(5, base=0.001).run(attempts, control())
    assert attempts.count == 1


def test_waits_grow_with_jitter_up_to_a_limit():
    """Each wait is drawn from 0 to twice the one before, at most the longest."""
    policy = RetryPolicy(100, base=0.5, longest=4.0)
    for number, most in ((1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (50, 4.0)):
        waits = [policy.wait(BUSY, number) for _ in range(200)]
        assert 0 <= min(waits) < most / 4
        assert most * 0.75 < max(waits) <= most
    assert policy.wait(BUSY, 100) is None


def test_the_service_says_how_long_to_wait():
    """Never less than it asks for; if that is too long, the caller learns at once how long."""
    policy = RetryPolicy(3, base=0.5, longest=10.0)
    asked = errors.RateLimitedError("later", retry_after=2.0)
    assert all(2.0 <= policy.wait(asked, 1) <= 2.5 for _ in range(50))
    patient = errors.RateLimitedError("tomorrow", retry_after=86_400.0)
    assert policy.wait(patient, 1) is None
    with pytest.raises(errors.RateLimitedError) as caught:
        policy.run(Attempts(patient), control())
    assert caught.value.retry_after == 86_400.0


def test_a_wait_that_outlasts_the_deadline_is_not_begun():
    """The error is worth more than a timeout."""
    started = time.monotonic()
    with pytest.raises(errors.RateLimitedError):
        RetryPolicy().run(Attempts(errors.RateLimitedError("x", retry_after=3.0)), control(1.0))
    assert time.monotonic() - started < 0.5


def test_cancellation_ends_a_wait():
    """Another thread cancels; the wait ends with the error that says so."""
    token = CancelToken()
    threading.Timer(0.05, token.cancel).start()
    started = time.monotonic()
    with pytest.raises(errors.RequestCancelledError):
        RetryPolicy().run(Attempts(errors.RateLimitedError("x", retry_after=3.0)), control(cancel=token))
    assert time.monotonic() - started < 1


def test_what_must_not_arrive_twice_is_repeated_only_if_it_cannot_have_arrived():
    """Not sent, or refused before work began: again. Sent and lost, or failed within: never."""
    policy = RetryPolicy(3, base=0.001)
    lost = errors.ConnectionFailedError("lost")
    assert policy.run(Attempts(lost, lost), control(), is_idempotent=False) == "done"
    for status in (429, 503):
        watched = control()
        refused = errors.RateLimitedError("later", status=status)
        assert policy.run(Attempts(refused, watched=watched), watched, is_idempotent=False) == "done"
    for error in (lost, BUSY, errors.InvalidResponseError("half")):
        watched = control()
        attempts = Attempts(error, watched=watched)
        with pytest.raises(type(error)):
            policy.run(attempts, watched, is_idempotent=False)
        assert attempts.count == 1


@pytest.mark.parametrize("options", [{"attempts": 0}, {"base": -1}, {"longest": -1}])
def test_a_policy_makes_sense(options):
    """No attempts and negative waits are refused."""
    with pytest.raises(ValueError, match="retry policy"):
        RetryPolicy(**options)


def test_retry_after_in_all_its_forms():
    """Seconds, milliseconds, a date; nonsense counts as nothing."""
    date = email.utils.formatdate(time.time() + 30, usegmt=True)
    assert diagnosis.retry_after({"retry-after": "2.5"}) == 2.5
    assert diagnosis.retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    assert 27 < diagnosis.retry_after({"retry-after": date}) <= 30
    assert diagnosis.retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}) == 0
    for nonsense in ("soon", "-1", "nan", "inf", ""):
        assert diagnosis.retry_after({"retry-after": nonsense}) is None
    assert diagnosis.retry_after({}) is None


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": {"message": "Your credit balance is too low"}}, errors.QuotaExceededError),
        (400, [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}], errors.AuthenticationError),
        (400, {"error": {"message": "The input token count (9) exceeds the maximum"}}, errors.ContextTooLongError),
        (400, {"error": {"message": "x", "type": "exceed_context_size_error"}}, errors.ContextTooLongError),
        (413, "too large", errors.ContextTooLongError),
        (408, "", errors.RequestTimeoutError),
        (422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, errors.BadRequestError),
        (429, {"error": "slow down"}, errors.RateLimitedError),
        (500, "<html>oops</html>", errors.OverloadedError),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, errors.OverloadedError),
        (500, {"error": {"message": "prompt is too long for billing"}}, errors.OverloadedError),
    ],
)  # fmt: skip
def test_what_a_status_means(status, body, kind):
    """The status decides; below 500 the service's own words decide between failures that share a status."""
    error = diagnosis.from_status(status, body, {"retry-after": "1"}, "p")
    assert type(error) is kind
    assert (error.status, error.retry_after, error.provider) == (status, 1.0, "p")
    assert str(error).startswith(f"p {status}: ")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"type": "rate_limit_error", "message": "x"}}, errors.RateLimitedError),
        ({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "x"}}, errors.RateLimitedError),
        ({"error": {"type": "invalid_request_error", "message": "x"}}, errors.BadRequestError),
        ({"error": {"type": "api_error", "message": "x"}}, errors.OverloadedError),
        ({"error": "model runner has stopped"}, errors.OverloadedError),
        ({"error": {"type": "timeout_error", "message": "x"}}, errors.RequestTimeoutError),
        ({}, errors.OverloadedError),
    ],
)
def test_what_an_error_event_means(body, kind):
    """Within a stream there is no status; the type of the error decides."""
    assert type(diagnosis.from_event(body, "p")) is kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError("x"), errors.RequestTimeoutError),
        (ConnectionResetError("x"), errors.ConnectionFailedError),
        (http.client.IncompleteRead(b""), errors.ConnectionFailedError),
        (http.client.BadStatusLine("x"), errors.ConnectionFailedError),
        (KeyError("choices"), errors.InvalidResponseError),
        (RecursionError(), errors.InvalidResponseError),
    ],
)
def test_what_an_exception_means(error, kind):
    """Everything that goes wrong with a request is one of the typed errors."""
    assert type(diagnosis.from_exception(error, "p")) is kind


def test_long_messages_are_cut():
    """A service that answers with a web page does not flood the log."""
    assert len(str(diagnosis.from_status(502, "<html>" * 10_000))) < 3000


EVENTS = [{"a": "x\u2028y"}, {"b": [1, {"c": "}"}]}]


@pytest.mark.parametrize(
    "raw",
    [
        'data: {"a": "x\u2028y"}\n\ndata: {"b": [1, {"c": "}"}]}\n\n',
        ': hi\r\nevent: e\r\ndata:{"a": "x\u2028y"}\r\n\r\nid: 1\r\nretry: 5\r\ndata: {"b": [1, {"c": "}"}]}\r\n\r\n',
        'data: {"a": "x\u2028y"}\ndata: {"b": [1, {"c": "}"}]}\n',
        'data: {"a":\ndata: "x\u2028y"}\n\ndata:\n\ndata: {"b": [1,\ndata: {"c": "}"}]}\n\n',
        'data: {"a": "x\u2028y"}\n\ndata: {"b": [1, {"c": "}"}]}',
        '{\n "a":\n "x\u2028y"\n}\n{"b": [1, {"c": "}"}]}',
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_server_sent_events(raw, size):
    """Ends of lines, comments, split data, missing blank lines and pieces of any size make no difference."""
    content = raw.encode()
    chunks = [content[start : start + size] for start in range(0, len(content), size)]
    assert list(sse.events(chunks)) == EVENTS


def test_the_mark_of_the_end():
    """[DONE] is its own event."""
    assert list(sse.events([b'data: {"a": 1}\n\ndata: [DONE]\n\n']))[-1] is sse.DONE


@pytest.mark.parametrize("raw", ['data: {"a": \n\n', "data: x\n\n", "data: [1]\n\n", 'data: {"a"'])
def test_half_an_event_is_an_error(raw):
    """What cannot be read is reported with its beginning, not passed over."""
    with pytest.raises(errors.InvalidResponseError, match="half of one"):
        list(sse.events([raw.encode()]))
    with pytest.raises(errors.InvalidResponseError, match="half of one"):
        list(sse.objects([raw.encode()]))


def test_lines_have_a_limit(monkeypatch):
    """A stream without line ends does not fill the memory."""
    monkeypatch.setattr(sse, "MAX_LINE", 1000)
    with pytest.raises(errors.InvalidResponseError, match="longer than 1,000 bytes"):
        list(sse.objects(b"x" * 100 for _ in range(100)))


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box:8080", "http://box:8080"),
        ("https://box.example", "https://box.example:443"),
        ("http://box/ollama", "http://box:80/ollama"),
        ("[::1]:99", "http://[::1]:99"),
    ],
)
def test_ollama_hosts(host, url):
    """OLLAMA_HOST is read as the server itself reads it."""
    assert _from_environment(host) == url


def test_proxies_of_the_environment(monkeypatch):
    """A plain address is asked through the proxy, with its login; a secure one through a tunnel; no_proxy counts."""
    seen = []

    class Proxy(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append((self.command, self.path, self.headers.get("proxy-authorization")))
            body = b'{"ok": true}'
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_CONNECT(self):
            seen.append((self.command, self.path, self.headers.get("proxy-authorization")))
            self.send_error(403)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    proxy = f"http://me:pw@127.0.0.1:{server.server_address[1]}"
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, proxy)
    monkeypatch.setenv("no_proxy", "localhost")
    client = HttpClient("http://model.example/v1", {"x-api-key": "k"})
    assert client.send("POST", "/chat", {}, control()) == {"ok": True}
    with pytest.raises(OSError, match="403"):
        HttpClient("https://model.example/v1", {}).send("POST", "/chat", {}, control())
    with pytest.raises(OSError, match="refused"):
        HttpClient("http://localhost:9", {}).send("POST", "/chat", {}, control())
    login = "Basic bWU6cHc="
    assert seen == [("POST", "http://model.example/v1/chat", login), ("CONNECT", "model.example:443", login)]
    server.shutdown()
    server.server_close()


def test_addresses_are_shown_without_passwords():
    """User and password are left out, whatever else the address has."""
    assert without_password("https://me:p@ss@host:1/a@b") == "https://host:1/a@b"
    assert repr(HttpClient("http://me:pw@host/v1/", {"x-api-key": "secret"})) == "<HttpClient http://host/v1>"
