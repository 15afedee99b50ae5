"""``genex/http``: real requests to real servers on the loopback interface."""

from __future__ import annotations

import contextlib
import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import pytest
from loopback import Loopback

from gene.interpreter import Interpreter
from gene.runtime.exceptions import ArgumentException, NetworkException, PermissionException
from gene.stdlib import http as client
from gene.stdlib import http_server
from gene.stdlib.capabilities import ALL

IMPORTS = "".join(
    f"(import genex/http/{name})"
    for name in ("http_get", "http_post", "http_request", "start_server", "respond")
)


@pytest.fixture
def gene():
    """An interpreter that may use the network and nothing else."""
    made = Interpreter(capabilities={"network"})
    made.eval(IMPORTS)
    return made


@pytest.fixture
def server():
    """A scripted server."""
    with Loopback() as made:
        yield made


@contextlib.contextmanager
def raw_server(*answers):
    """A server that sends bytes as they are, one answer a connection, and then hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            for answer in answers:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65536)
                    for part in answer if isinstance(answer, list) else [answer]:
                        if isinstance(part, bytes):
                            with contextlib.suppress(OSError):
                                connection.sendall(part)
                        else:
                            time.sleep(part)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(5)


# -- the client ------------------------------------------------------------------------------------------


def test_get(gene, server):
    """The future has status, headers in lower case, and the body as text or as JSON."""
    server.reply({"text": "ä"})
    gene.define("url", server.url + "/a?b=1")
    assert gene.eval("""
        (var f (http_get url ^headers {^X-Token "t"}))
        (var r (await f))
        [(typeof f) (typeof r) r/status r/headers/content-type r/body (r .status) (r .json) r/none]
    """)[:7] == ["Future", "Response", 200, "application/json", '{"text": "\\u00e4"}', 200, {"text": "ä"}]
    (request,) = server.requests
    assert (request.method, request.path, request.headers["x-token"]) == ("GET", "/a?b=1", "t")


def test_an_error_status_is_a_response(gene, server):
    """The program decides what a 404 or a 500 means."""
    for status in (404, 500, 418):
        server.reply({"error": status}, status=status)
        gene.define("url", server.url)
        assert gene.eval("(var r (await (http_get url))) [r/status (r .json)]") == [status, {"error": status}]


@pytest.mark.parametrize(
    ("body", "raw", "content_type"),
    [
        ('"text ä"', "text ä".encode(), "text/plain; charset=utf-8"),
        ("{^a [1 nil 2.5]}", b'{"a":[1,null,2.5]}', "application/json"),
        ("[1]", b"[1]", "application/json"),
        ("0#00ff", b"\x00\xff", "application/octet-stream"),
        ("nil", b"", None),
    ],
)
def test_post(gene, server, body, raw, content_type):
    """Strings and bytes are sent as they are, other values as JSON, each with its type."""
    server.reply({"ok": True})
    gene.define("url", server.url)
    assert gene.eval(f"((await (http_post url {body})) .status)") == 200
    (request,) = server.requests
    assert (request.method, request.raw) == ("POST", raw)
    assert request.headers.get("content-length") == str(len(raw))
    if content_type:
        assert request.headers["content-type"] == content_type


def test_headers_of_the_program_win(gene, server):
    """A content type of its own replaces the one that would be sent."""
    server.reply({})
    gene.define("url", server.url)
    gene.eval('(await (http_post url "<a/>" {^content-type "text/xml" ^X-N 7}))')
    assert server.requests[0].headers["content-type"] == "text/xml"
    assert server.requests[0].headers["x-n"] == "7"


def test_other_methods(gene, server):
    """Any method can be sent, with or without a body."""
    gene.define("url", server.url)
    for text, expected in (('"PUT" url "x"', ("PUT", b"x")), ('"delete" url', ("DELETE", b""))):
        server.reply({})
        assert gene.eval(f"((await (http_request {text})) .status)") == 200
        assert (server.requests[-1].method, server.requests[-1].raw) == expected


def test_requests_run_side_by_side(gene):
    """Ten slow answers take as long as one."""
    slow = [0.5, b"HTTP/1.0 200 OK\r\n\r\nx"]
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(raw_server(slow)) for _ in range(10)]
        gene.define("urls", urls)
        start = time.monotonic()
        assert (
            gene.eval("(var fs (urls .map (fn [u] (http_get u)))) ((await fs...) .map (fn [r] r/body))")
            == ["x"] * 10
        )
        assert time.monotonic() - start < 4  # one after the other take 5


def test_encodings(gene):
    """Text is decoded as the server says, UTF-8 otherwise; the bytes are there in any case."""
    answers = [
        b"HTTP/1.0 200 OK\r\nContent-Type: text/plain; charset=latin-1\r\n\r\n\xe4",
        b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n\xc3\xa4",
        b"HTTP/1.0 200 OK\r\nContent-Type: text/plain; charset=nonsense\r\n\r\n\xc3\xa4",
        b"HTTP/1.0 200 OK\r\nX-A: 1\r\nX-A: 2\r\n\r\n\xff",
    ]
    with raw_server(*answers) as url:
        gene.define("url", url)
        gene.eval("(fn get [] (await (http_get url)))")
        assert [gene.eval("((get) .body)") for _ in range(3)] == ["ä"] * 3
        assert gene.eval("(var r (get)) [r/body r/bytes r/headers/x-a]") == ["\ufffd", b"\xff", "1, 2"]


def test_redirects_keep_credentials_at_home(gene, server):
    """Redirects are followed; another server does not get the authorization, nor a file or FTP opened."""
    server.reply({"there": True})
    home = f"HTTP/1.0 302 Found\r\nLocation: {server.url}/new\r\n\r\n".encode()
    with raw_server(home, b"HTTP/1.0 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n") as url:
        gene.define("url", url)
        text = '(var r (await (http_get url {^Authorization "secret" ^X-Other "kept"}))) (r .json)'
        assert gene.eval(text) == {"there": True}
        (request,) = server.requests
        assert request.path == "/new"
        assert "authorization" not in request.headers
        assert request.headers["x-other"] == "kept"
        assert "root:" not in gene.eval("(try ((await (http_get url)) .body) catch * $ex/message)")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "Remote end closed connection without response"),
        (b"nonsense\r\n\r\n", "nonsense"),
        (
            b"HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            "the connection was closed 7 bytes before the end",
        ),
        ([1.0], "no answer within 0.2 seconds"),
        ([b"HTTP/1.0 200 OK\r\n\r\n", *[b"x", 0.05] * 20], "no answer within 0.2 seconds"),
    ],
    ids=["hang-up", "nonsense", "cut", "silent", "dripping"],
)
def test_failures_are_network_exceptions(gene, answer, reason):
    """Whatever goes wrong under way, the message names the request and the reason."""
    with raw_server(answer) as url:
        gene.define("url", url)
        with pytest.raises(NetworkException) as failed:
            gene.eval("(await (http_get url ^timeout 200))")
        assert str(failed.value).startswith(f"GET {url} failed: ")
        assert reason in str(failed.value)


def test_nobody_listens(gene):
    """A refused connection is a NetworkException that a program can catch."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    gene.define("url", f"http://127.0.0.1:{port}/")
    text = "(try (await (http_get url)) catch NetworkException $ex/message)"
    assert gene.eval(text) == f"GET http://127.0.0.1:{port}/ failed: Connection refused"


def test_bodies_have_a_limit(gene, monkeypatch):
    """A body that is too large is refused, not read into memory."""
    monkeypatch.setattr(client, "LARGEST", 1 << 20)
    with raw_server(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * (3 << 20)) as url:
        gene.define("url", url)
        with pytest.raises(NetworkException, match="the response is larger than 1 MB"):
            gene.eval("(await (http_get url))")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("(http_get)", "http_get requires a URL as a String, got nothing"),
        ("(http_get 5)", "http_get requires a URL as a String, got VkInt"),
        *[
            (
                f'(http_get "{url}")',
                f"http_get requires an http or https URL, special characters escaped, got {url}",
            )
            for url in (
                "file:///etc/passwd",
                "ftp://x/",
                "x",
                "http://",
                "http://a b/",
                "http://x/ä",
                "http://x:nine/",
            )
        ],
        ('(http_get "http://x/" 5)', "http_get requires a Map of headers, got VkInt"),
        (
            '(http_get "http://x/" {^A "b\\r\\nC: d"})',
            "http_get: the header A has characters that headers cannot carry",
        ),
        ('(http_get "http://x/" {^a\\:b "c"})', "http_get: 'a:b' is no name of a header"),
        (
            '(http_get "http://x/" ^timeout "1")',
            "http_get ^timeout requires milliseconds (Int) or seconds (Float), got VkString",
        ),
        ('(http_request "G T" "http://x/")', 'http_request requires a method such as "PUT"'),
    ],
)
def test_wrong_requests(gene, call, message):
    """A wrong request is refused when it is made, before anything is sent."""
    with pytest.raises(ArgumentException) as failed:
        gene.eval(call)
    assert str(failed.value) == message


def test_the_network_is_a_capability():
    """Without it nothing of the namespace works."""
    for name in ("http_get", "http_post", "http_request", "start_server", "respond"):
        with pytest.raises(PermissionException, match=f"genex/http/{name} needs the capability 'network'"):
            Interpreter(capabilities=ALL - {"network"}).eval(f"(genex/http/{name} 1)")


# -- the server ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(gene, handler):
    """A Gene server whose program waits in another thread for requests; gives its port."""
    ports, thread_events = [], threading.Event()

    def work():
        server = gene.eval(f"(var server (start_server 0 {handler})) server")
        ports.append(server.port)
        thread_events.set()
        gene.eval("(run_forever) (server .stop)")

    thread = threading.Thread(target=work)
    thread.start()
    assert thread_events.wait(10)
    try:
        yield ports[0]
    finally:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{ports[0]}/stop", timeout=5).close()
        thread.join(10)
        assert not thread.is_alive()


def handler(body):
    return f'(fn [req] (if (req/path == "/stop") (stop_scheduler) else {body}))'


def ask(port, method="GET", path="/", body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def test_a_handler_gets_the_request(gene):
    """Method, decoded path, URL as sent, parameters, headers in lower case, and the body."""
    with serving(gene, handler("req")) as port:
        status, content, headers = ask(
            port, "POST", "/a%20b?x=1&y=%C3%A4&x=2&z=", "text ä".encode(), {"X-A": "7"}
        )
        assert (status, headers["content-type"]) == (200, "application/json")
        import json

        request = json.loads(content)
        assert request["headers"].pop("x-a") == "7"
        del request["headers"]
        assert request == {
            "method": "POST",
            "path": "/a b",
            "url": "/a%20b?x=1&y=%C3%A4&x=2&z=",
            "params": {"x": "2", "y": "ä", "z": ""},
            "body": "text ä",
        }


@pytest.mark.parametrize(
    ("answer", "status", "content", "content_type"),
    [
        ('"hello"', 200, b"hello", "text/plain; charset=utf-8"),
        ("{^a [1]}", 200, b'{"a":[1]}', "application/json"),
        ("0#00ff", 200, b"\x00\xff", "application/octet-stream"),
        ("nil", 404, b"Not Found", "text/plain; charset=utf-8"),
        ("m/none", 404, b"Not Found", "text/plain; charset=utf-8"),
        ("(respond 204)", 204, b"", None),
        ('(respond "x")', 200, b"x", "text/plain; charset=utf-8"),
        ("(respond 201 {^id 1})", 201, b'{"id":1}', "application/json"),
        ('(respond 200 "<p>" {^Content-Type "text/html"})', 200, b"<p>", "text/html"),
        ('(async "soon")', 200, b"soon", "text/plain; charset=utf-8"),
        (
            "(do (var f (new Future)) ((gene/sleep_async 20) .on_success (fn [v] (f .complete 202))) f)",
            202,
            b"",
            None,
        ),
    ],
)
def test_what_a_handler_returns_is_the_answer(gene, answer, status, content, content_type):
    """Text, data, nothing, responses, and futures of these."""
    gene.eval("(var m {})")
    with serving(gene, handler(answer)) as port:
        got = ask(port)
        assert got[:2] == (status, content)
        assert got[2].get("content-type") == content_type


def test_a_failing_handler(gene, capsys):
    """The client learns that it failed, standard error why and where; the server goes on."""
    with serving(
        gene, handler('(if (req/path == "/bad") (throw "secret") else (async (throw "too")))')
    ) as port:
        for path in ("/bad", "/other"):
            assert ask(port, path=path)[:2] == (500, b"Internal Server Error")
    err = capsys.readouterr().err
    assert "error in a request handler: secret\n" in err
    assert "error in a request handler: too\n" in err


def test_headers_cannot_be_split(gene, capsys):
    """A line break in a header of an answer is an error, not another header."""
    with serving(gene, handler('(respond 200 "" {^X-A "b\\r\\nSet-Cookie: c"})')) as port:
        status, _, headers = ask(port)
        assert status == 500
        assert "set-cookie" not in headers
    assert "the header X-A has characters" in capsys.readouterr().err


def test_requests_are_handled_one_after_the_other(gene):
    """Many clients at once, and no update of a variable is lost, even if the handler sleeps."""
    gene.eval("(var n 0)")
    with serving(gene, handler("(do (var before n) (sleep 1) (n = (before + 1)) n/.to_s)")) as port:
        seen = []
        clients = [threading.Thread(target=lambda: seen.append(ask(port)[1])) for _ in range(20)]
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join()
        assert sorted(map(int, seen)) == list(range(1, 21))


def test_methods_without_a_body(gene):
    """HEAD gets the headers of GET; a method that nobody knows is refused."""
    with serving(gene, handler('"hello"')) as port:
        status, content, headers = ask(port, "HEAD")
        assert (status, content, headers["content-length"]) == (200, b"", "5")
        assert ask(port, "BREW")[0] == 501


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Content-Length: x", 400),
        ("Content-Length: -1", 400),
        ("Content-Length: 99999999999", 413),
        ("Transfer-Encoding: chunked", 411),
    ],
)
def test_bodies_that_are_refused(gene, headers, status):
    """A body without a usable length, or too large, does not reach the program."""
    with (
        serving(gene, handler('"hello"')) as port,
        socket.create_connection(("127.0.0.1", port), 5) as connection,
    ):
        connection.sendall(f"POST / HTTP/1.1\r\n{headers}\r\n\r\n".encode())
        assert connection.recv(100).split()[1] == str(status).encode()


def test_bodies_that_are_no_text(gene):
    """They arrive as Bytes."""
    with serving(gene, handler("(do (var k (typeof req/body)) k)")) as port:
        assert ask(port, "POST", body=b"\xff")[1] == b"VkBytes"


def test_a_program_that_serves_itself(gene):
    """A handler may make requests to its own server, and the program to the handler."""
    text = """
        (var server (start_server 0 (fn [req]
            (if (req/path == "/inner") "inner"
             else ((await (http_get #"#{server/url}/inner")) .body)))))
        (var r (await (http_get server/url)))
        (server .stop)
        [r/body (typeof server) (server .port) server/port]
    """
    body, kind, port, same = gene.eval(text)
    assert (body, kind) == ("inner", "Server")
    assert port == same


def test_a_busy_program(gene, monkeypatch):
    """A client is told to come back when the program does not answer in time, or the server is stopped."""
    monkeypatch.setattr(http_server, "PATIENCE", 0.05)
    server = gene.eval('(var server (start_server 0 (fn [req] "late"))) server')
    assert ask(server.port)[:2] == (503, b"Service Unavailable")
    server.stop()
    with pytest.raises(OSError):
        ask(server.port)


def test_servers_end_with_their_program(capsys):
    """A server does not keep a program from ending, and nothing listens afterwards."""
    Interpreter(capabilities=ALL).run_text(
        IMPORTS + '(var s (start_server 0 (fn [req] "x"))) (println s/port)'
    )
    port = int(capsys.readouterr().out)
    with pytest.raises(ConnectionRefusedError):
        ask(port)
    assert not [thread for thread in threading.enumerate() if thread.name == "gene http server"]


def test_a_server_as_a_process():
    """``gene run`` serves until Ctrl-C."""
    text = IMPORTS + "(var s (start_server 0 (fn [req] req/path))) (println s/port) (flush) (run_forever)"
    process = subprocess.Popen(
        [sys.executable, "-m", "gene", "eval", text], stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            port = int(process.stdout.readline())
            assert ask(port, path="/a")[:2] == (200, b"/a")
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 130
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ("(start_server)", ArgumentException, "start_server requires a port from 0 to 65535, got nothing"),
        (
            "(start_server 70000 println)",
            ArgumentException,
            "start_server requires a port from 0 to 65535, got 70000",
        ),
        ("(start_server 0)", Exception, "start_server callback must be a function, got nothing"),
        (
            "(start_server 0 println ^host 1)",
            ArgumentException,
            "start_server requires a String as ^host, got VkInt",
        ),
        ("(respond 99)", ArgumentException, "respond requires a status from 200 to 599, got 99"),
    ],
)
def test_wrong_servers(gene, call, kind, message):
    """Each mistake has a message that says what would be right."""
    with pytest.raises(kind) as failed:
        gene.eval(call)
    assert str(failed.value) == message


def test_a_port_that_is_taken(gene):
    """It is a NetworkException that names the address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(NetworkException) as failed:
            gene.eval(f"(start_server {port} println)")
    assert str(failed.value) == f"start_server failed to listen on 127.0.0.1:{port}: Address already in use"
