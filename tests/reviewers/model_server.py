"""A real HTTP server on loopback that plays scripted replies of an OpenAI-compatible endpoint."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from controlscope.canonical import JsonObject

KEY = "sk-a-key-that-no-one-may-see"
HOST = "localhost"


class Exchange(BaseHTTPRequestHandler):
    """One request as the server sees it, and the means to answer it."""

    server: "_Server"
    asked: JsonObject

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked = json.loads(body)
        with self.server.lock:
            script = self.server.script
            number = len(script.requests)
            script.requests.append(json.loads(body))
            script.bodies.append(body)
            script.headers.append({name.lower(): text for name, text in self.headers.items()})
            script.paths.append(self.path)
        answer = script.answers[min(number, len(script.answers) - 1)]
        answer(self)

    def reply(
        self,
        body: bytes,
        status: int = 200,
        kind: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


Answer: TypeAlias = Callable[[Exchange], None]


@dataclass
class Script:
    """What the server answers, the last answer for ever, and what it was asked."""

    answers: list[Answer]
    url: str = ""
    requests: list[JsonObject] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.script = script
        self.lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is a part of some scripts."""


@contextmanager
def serving(*answers: Answer) -> Iterator[Script]:
    """Serve a script on a free port of this machine."""
    script = Script(list(answers))
    server = _Server(script)
    script.url = f"http://{HOST}:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


USAGE: JsonObject = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 60},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


def document(
    text: str | None = None,
    calls: list[tuple[str, Any]] | None = None,
    finish: str = "stop",
    **other: Any,
) -> JsonObject:
    """Return a reply's body; a call is a name and its arguments, text or what becomes JSON."""
    message: JsonObject = {"role": "assistant", "content": text}
    if calls is not None:
        message["tool_calls"] = [
            {
                "id": "call_of_the_provider",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for name, given in calls
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "small-2026-01-01",
        "provider": "Some Cloud",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": USAGE,
        **other,
    }


def body(content: JsonObject) -> Answer:
    return lambda exchange: exchange.reply(json.dumps(content).encode())


def says(text: str, **other: Any) -> Answer:
    return body(document(text, **other))


def calls(*given: tuple[str, Any], **other: Any) -> Answer:
    return body(document(calls=list(given), **{"finish": "tool_calls", **other}))


def raw(data: bytes, kind: str = "application/json", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda exchange: exchange.reply(data, kind=kind, headers=named)


def fails(status: int, message: str = "no", code: str = "", **headers: str) -> Answer:
    error = {"error": {"message": message, "type": "an_error", "code": code or None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda exchange: exchange.reply(json.dumps(error).encode(), status, headers=named)


def after(seconds: float, answer: Answer) -> Answer:
    def slow(exchange: Exchange) -> None:
        time.sleep(seconds)
        answer(exchange)

    return slow


def cut(exchange: Exchange) -> None:
    """Promise a body and hang up in its middle."""
    exchange.send_response(200)
    exchange.send_header("Content-Type", "application/json")
    exchange.send_header("Content-Length", "1000")
    exchange.end_headers()
    exchange.wfile.write(b'{"choices": [')
    exchange.close_connection = True


def drips(exchange: Exchange) -> None:
    """Send a byte now and then, for ever, until the client hangs up."""
    exchange.send_response(200)
    exchange.send_header("Content-Type", "application/json")
    exchange.send_header("Content-Length", "1000")
    exchange.end_headers()
    for _ in range(1000):
        exchange.wfile.write(b" ")
        exchange.wfile.flush()
        time.sleep(0.02)
