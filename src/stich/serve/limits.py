"""What surrounds every request: limits on body, rate and concurrency, one log line, and the figures of /metrics."""

import asyncio
import json
import logging
import time
from collections import Counter
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stich.serve.config import Settings

LOG = logging.getLogger("stich.serve")
BODY_SECONDS = 20.0
"""How long a client may take to send its body."""
ADDRESSES = 10_000
"""The most addresses whose rate is remembered."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class JsonLines(logging.Formatter):
    """A log record as one line of JSON; what is given as `extra={"facts": {...}}` stands beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Metrics:
    """Counters and the spread of response times, in the text form of Prometheus."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0
        self.running = 0

    def add(self, name: str, labels: str = "", amount: int = 1) -> None:
        """Counts something that happened; labels as in `kind="x"`."""
        self.counts[name, labels] += amount

    def took(self, seconds: float) -> None:
        """Counts the time of a request."""
        self.seconds += seconds
        self.buckets[sum(seconds > limit for limit in BUCKETS)] += 1

    def text(self, gauges: dict[str, float]) -> str:
        """All figures."""
        lines = [
            f"stich_{name}{f'{{{labels}}}' if labels else ''} {n}" for (name, labels), n in self.counts.items()
        ]
        total = 0
        for limit, count in zip((*map(str, BUCKETS), "+Inf"), self.buckets, strict=True):
            total += count
            lines.append(f'stich_request_seconds_bucket{{le="{limit}"}} {total}')
        lines += [f"stich_request_seconds_sum {self.seconds:.6f}", f"stich_request_seconds_count {total}"]
        lines += [
            f"stich_{name} {value:g}" for name, value in {**gauges, "requests_running": self.running}.items()
        ]
        return "\n".join(lines) + "\n"


class Buckets:
    """The rate of each address: N a second, in bursts of up to 2 N."""

    def __init__(self, rate: float) -> None:
        self.rate, self.left = rate, dict[str, tuple[float, float]]()

    def allow(self, address: str) -> bool:
        """Takes one from the address's bucket, if there is one."""
        if self.rate <= 0:
            return True
        now = time.monotonic()
        left, then = self.left.pop(address, (2 * self.rate, now))
        left = min(2 * self.rate, left + (now - then) * self.rate)
        self.left[address] = (max(left - 1.0, 0.0) if left >= 1.0 else left, now)
        if len(self.left) > ADDRESSES:  # the one that was longest not seen
            del self.left[next(iter(self.left))]
        return left >= 1.0


class TooLarge(Exception):  # noqa: N818 (an answer, not a fault)
    """The body is larger than allowed."""


class Limits:
    """The ASGI layer around the application."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics
        self.rates = Buckets(settings.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers refusals itself and measures everything else."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self.metrics.running += 1
        try:
            await self._answer(scope, receive, noted)
        finally:
            self.metrics.running -= 1
            self._note(scope, status, time.perf_counter() - began)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        settings = self.settings
        inner = scope["path"] in ("/health", "/ready")
        if not inner and self.metrics.running > settings.concurrency:
            await refuse(send, 503, "the server is busy: try again in a moment")
        elif not inner and not self.rates.allow(scope["client"][0] if scope.get("client") else ""):
            await refuse(send, 429, f"more than {settings.rate:g} requests a second: slow down")
        elif (length := _length(scope)) is not None and not 0 <= length <= settings.body:
            await refuse(send, 413, f"the body may have at most {settings.body} bytes")
        else:
            await self._pass_on(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets the application answer; a body without length is counted while it comes in."""
        got, whole, started = 0, False, False
        fault: tuple[int, str] | None = None

        async def counted() -> Message:
            nonlocal got, whole, fault
            try:
                message = await (receive() if whole else asyncio.wait_for(receive(), BODY_SECONDS))
            except TimeoutError:
                fault = (408, f"the body has not come in {BODY_SECONDS:g} s")
                raise
            if message["type"] == "http.request":
                got += len(message.get("body", b""))
                whole = not message.get("more_body", False)
                if got > self.settings.body:
                    fault = (413, f"the body may have at most {self.settings.body} bytes")
                    raise TooLarge
            return message

        async def begun(message: Message) -> None:
            nonlocal started
            if fault is None or started:
                started = True
                await send(message)

        try:
            await self.app(scope, counted, begun)
        except Exception as error:
            if fault is None:
                LOG.exception("fault", extra={"facts": {"path": scope["path"], "error": str(error)}})
                fault = (500, "the server made a mistake; it is in its log")
        if fault is not None and not started:
            await refuse(send, *fault)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        path = getattr(scope.get("route"), "path", "other")
        self.metrics.add("requests_total", f'path="{path}",status="{status}"')
        self.metrics.took(seconds)
        if LOG.isEnabledFor(logging.INFO):
            facts = {"method": scope["method"], "path": scope["path"], "status": status}
            LOG.info("request", extra={"facts": {**facts, "ms": round(1000 * seconds, 2)}})


def _length(scope: Scope) -> int | None:
    """The announced length of the body, -1 where it is no number."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 16 else -1
    return None


async def refuse(send: Send, status: int, text: str) -> None:
    """An answer that needs no application."""
    headers = [(b"content-type", b"application/json")]
    if status in (429, 503):
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"detail": text}).encode()})
