"""Load on loopback: the Cego API's requests a second and latencies; tables of bots at once and the memory they take.

python bench/serve_load.py cego [SECONDS] [CLIENTS]      requests/s, p50, p99
python bench/serve_load.py tables [TABLES] [SECONDS]     moves/s, the longest wait for /health, memory at each minute

The server runs in a process of its own, as `stich serve` starts it; the clients are plain sockets in this one.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import httpx

HAND = "18-trump,15-trump,13-trump,r-d,r-c,b-h,3-h,20-trump,17-trump"
PLAYED = "r-h,16-trump,4-h,2-h,21-trump,6-trump,9-trump,10-trump"
QUERY = {
    "hand_cards": HAND,
    "played_cards": PLAYED,
    "trick_cards": "8-s,r-s,k-s",
    "current_player_id": 0,
    "round_starter_id": 1,
    "single_player_id": 0,
}


@contextmanager
def server(*settings):
    """The command on a free port, with its process id."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "stich.cli", "serve", "--port", str(port), "--log", "warning"]
        command += ["--database", f"sqlite:///{folder}/stich.db", "--set", "rate=0", "--set", "concurrency=1000"]
        process = subprocess.Popen([*command, *settings])
        try:
            client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120)
            while True:
                try:
                    if client.get("/ready").status_code == 200:
                        break
                except httpx.HTTPError:
                    time.sleep(0.05)
            yield client, port, process.pid
        finally:
            process.terminate()
            process.wait()


async def ask(port, request, until, waits):
    """One client that asks again and again on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        began = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        waits.append(time.perf_counter() - began)
    writer.close()


def cego(seconds=10.0, clients=8):
    """Many clients at the Cego API, answered by `rule`."""
    request = f"GET /api/v1/solo/?{urlencode(QUERY)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    async def all_of_them(port, duration):
        waits = []
        until = time.perf_counter() + duration
        await asyncio.gather(*(ask(port, request, until, waits) for _ in range(int(clients))))
        return sorted(waits)

    with server() as (_, port, pid):
        asyncio.run(all_of_them(port, 1.0))
        used = cpu(pid)
        waits = asyncio.run(all_of_them(port, seconds))
        share = (cpu(pid) - used) / seconds
    p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
    sys.stdout.write(
        f"{len(waits) / seconds:,.0f} requests/s, p50 {1e3 * p50:.1f} ms, p99 {1e3 * p99:.1f} ms, "
        f"{clients} clients, {1e6 * share * seconds / len(waits):.0f} us of the server's core a request\n"
    )


def tables(count=500, seconds=600.0):
    """So many tables of four bots at once; finished ones are replaced."""
    wish = {"game": "jass.1000", "seats": [{"kind": "agent", "agent": "rule"}] * 4}
    with server("--set", "tables=100000") as (client, _, pid):
        for _ in range(int(count)):
            client.post("/api/tables", json=wish).raise_for_status()
        began = reported = time.monotonic()
        worst, first, made = 0.0, moves(client), int(count)
        while time.monotonic() - began < seconds:
            asked = time.perf_counter()
            client.get("/health").raise_for_status()
            worst = max(worst, time.perf_counter() - asked)
            for _ in range(int(count) - unfinished(client)):
                client.post("/api/tables", json=wish).raise_for_status()
                made += 1
            if time.monotonic() - reported >= min(60.0, seconds / 4):
                reported = time.monotonic()
                rate = (moves(client) - first) / (reported - began)
                sys.stdout.write(
                    f"{reported - began:4.0f} s: {rate:,.0f} moves/s, {unfinished(client)} tables run, {made} made, "
                    f"longest wait for /health {worst:.2f} s, {memory(pid)} MB\n"
                )
                sys.stdout.flush()
            time.sleep(0.2)


def figure(client, name):
    """A figure of /metrics."""
    for line in client.get("/metrics").text.splitlines():
        if line.startswith(name + " "):
            return int(float(line.split()[1]))
    return 0


def moves(client):
    """The moves that were played so far."""
    return figure(client, "stich_moves_total")


def unfinished(client):
    """The tables that are not finished."""
    return figure(client, "stich_tables_unfinished")


def memory(pid):
    """The resident memory in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def cpu(pid):
    """Processor seconds used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    {"cego": cego, "tables": tables}[sys.argv[1]](*map(float, sys.argv[2:]))
