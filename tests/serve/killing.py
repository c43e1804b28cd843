"""Kills a busy server again and again, and sees whether a confirmed move is lost or doubled.

`python tests/serve/killing.py [KILLS] [DATABASE]` plays the long form: 20 kills, on SQLite and on a private PostgreSQL.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import Any

import httpx
import sqlalchemy as sql
from postgres import postgres
from serving import Player
from websockets.exceptions import WebSocketException

import stich
from stich.serve.store import MOVES, TABLES, Store

GAMES = ("jass.1000", "durak.series", "wizard", "schnapsen")


class Process:
    """The command `stich serve` on a free port."""

    def __init__(self, database: str) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        settings = ["--set", "rate=0", "--set", "pace=0", "--log", "error"]
        command = [sys.executable, "-m", "stich.cli", "serve", "--port", str(self.port), "--database", database]
        self.process = subprocess.Popen([*command, *settings], env={**os.environ})
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)
        deadline = time.monotonic() + 120
        while True:
            assert self.process.poll() is None, "the server has not started"
            assert time.monotonic() < deadline
            with suppress(httpx.HTTPError):
                if self.client.get("/ready").status_code == 200:
                    return
            time.sleep(0.02)

    def kill(self) -> None:
        self.client.close()
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Person(threading.Thread):
    """Plays at one table whatever happens to the server, and remembers every move that was confirmed to it."""

    def __init__(self, table: str, seat: int, token: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.table, self.seat, self.token, self.random = table, seat, token, random.Random(seed)
        self.events: dict[int, Any] = {}
        self.problems: list[str] = []
        self.port = 0
        self.number, self.resumed, self.over = 0, 0, False

    def run(self) -> None:
        while not self.over:
            try:
                self._play()
            except (OSError, WebSocketException, EOFError, TimeoutError):
                time.sleep(0.02)

    def _play(self) -> None:
        player = Player(f"ws://127.0.0.1:{self.port}", self.table, self.token, self.number)
        self.resumed += 1
        try:
            while not self.over:
                message = player.receive(timeout=20)
                if message["type"] == "state":
                    self._note(message)
                    view = message["view"]
                    if view["legal"]:
                        action = self.random.choice(view["legal"])["action"]
                        player.send(type="play", number=message["number"], action=action)
        finally:
            player.close()

    def _note(self, message: dict[str, Any]) -> None:
        for event in message["events"]:
            known = self.events.setdefault(event["number"], event)
            if known != event:
                self.problems.append(f"move {event['number']} was {known}, now {event}")
        if message["number"] < self.number:
            self.problems.append(f"{message['number']} moves are left of {self.number} confirmed ones")
        self.number = message["number"]
        self.over = self.over or message["view"]["over"]


def stored(database: str) -> dict[str, tuple[Any, list[tuple[int, int, int]]]]:
    """Every table of a database with its moves."""
    store = Store(database)
    with store.engine.connect() as connection:
        rows = connection.execute(sql.select(TABLES)).mappings().all()
        moves = connection.execute(sql.select(MOVES).order_by(MOVES.c.number)).mappings().all()
    store.close()
    found: dict[str, tuple[Any, list[tuple[int, int, int]]]] = {row["id"]: (row, []) for row in rows}
    for move in moves:
        found[move["table_id"]][1].append((move["number"], move["seat"], move["action"]))
    return found


def check(database: str, people: list[Person]) -> int:
    """Every stored game is legal from its deal on, and holds each confirmed move where it was confirmed."""
    total = 0
    tables = stored(database)
    for row, moves in tables.values():
        state = stich.make(row["game"], **json.loads(row["options"])).new(row["seed"])
        for i, (number, seat, action) in enumerate(moves):
            assert (number, seat) == (i, state.player), "a move is missing, doubled or by another seat"
            state.play(action)
        assert state.is_over == (row["status"] == "finished")
        total += len(moves)
    for person in people:
        assert not person.problems, person.problems
        moves = tables[person.table][1]
        for number, event in person.events.items():
            assert number < len(moves), f"the confirmed move {number} is lost"
            assert event["seat"] == moves[number][1]
            assert event["action"] in (None, moves[number][2])
    return total


def torture(database: str, kills: int, tables: int, seed: int = 0, more: int = 10**6) -> dict[str, int]:
    """Runs a server with busy tables, kills it `kills` times, and plays on to the ends, or so many moves more."""
    chance = random.Random(seed)
    server = Process(database)
    people: list[Person] = []
    for number in range(tables):
        game = GAMES[number % len(GAMES)]
        for seats in ([], [{"kind": "agent"}] * stich.make(game).seats):
            made = server.client.post("/api/tables", json={"game": game, "seats": seats}).json()
            if made["token"]:
                person = Person(made["table"], made["seat"], made["token"], number)
                person.port = server.port
                people.append(person)
                person.start()
    killed_busy = 0
    for _ in range(kills):
        before = sum(person.number for person in people)
        time.sleep(chance.uniform(0.05, 1.0))
        server.kill()
        killed_busy += sum(person.number for person in people) > before
        check(database, people)
        server = Process(database)
        for person in people:
            person.port = server.port
    goals = [person.number + more for person in people]
    deadline = time.monotonic() + 60 + 20 * kills
    while not all(one.over or one.number >= goal for one, goal in zip(people, goals, strict=True)):
        assert time.monotonic() < deadline, "a table does not go on"
        time.sleep(0.05)
    for person in people:
        person.over = True
        person.join(30)
    server.client.close()
    server.process.terminate()
    assert server.process.wait(30) in (0, -signal.SIGTERM), "the server has not stopped by itself"
    moves = check(database, people)
    confirmed = sum(len(person.events) for person in people)
    resumed = sum(person.resumed - 1 for person in people)
    return {
        "kills": kills,
        "kills while moves came in": killed_busy,
        "moves": moves,
        "confirmed": confirmed,
        "resumed": resumed,
    }


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"SQLite: {torture(f'sqlite:///{folder}/stich.db', count, 8)}\n")
    with postgres() as url:
        sys.stdout.write(f"PostgreSQL: {torture(url, count, 8)}\n")
