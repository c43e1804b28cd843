"""The database: tables, their moves, reports. SQLite in WAL mode or PostgreSQL, through SQLAlchemy.

The truth of a table is its game, options, seed, seats and the list of its moves; everything else is replayed from
these. All writing goes through one thread that commits what has gathered in one transaction, and only then says so: a
move that was confirmed is on the disk. A move is unique by table and number, so nothing can be stored twice.
"""

import asyncio
import json
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.pool import StaticPool

from stich.core.errors import StichError
from stich.core.types import Action, Seat

META = sql.MetaData()
TABLES = sql.Table(
    "stich_tables",
    META,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(200), nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("seed", sql.BigInteger, nullable=False),
    sql.Column("rules", sql.Integer, nullable=False),
    sql.Column("seats", sql.Text, nullable=False),
    sql.Column("invite", sql.String(64), nullable=False),
    sql.Column("coach", sql.Boolean, nullable=False),
    sql.Column("status", sql.String(16), nullable=False, index=True),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("finished", sql.Float, index=True),
    sql.Column("returns", sql.Text),
)
MOVES = sql.Table(
    "stich_moves",
    META,
    sql.Column("table_id", sql.String(32), sql.ForeignKey("stich_tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("seat", sql.SmallInteger, nullable=False),
    sql.Column("action", sql.SmallInteger, nullable=False),
    sql.Column("at", sql.Float, nullable=False),
)
REPORTS = sql.Table(
    "stich_reports",
    META,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("table_id", sql.String(32), sql.ForeignKey("stich_tables.id"), nullable=False, index=True),
    sql.Column("number", sql.Integer, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("transcript", sql.Text, nullable=False),
    sql.Column("at", sql.Float, nullable=False),
)
Job = tuple[Callable[[sql.Connection], Any], "Future[Any]"]
TOGETHER = 500
"""The most jobs of one transaction."""


class Store:
    """The database behind an asynchronous face."""

    def __init__(self, url: str) -> None:
        try:
            self.engine = _engine(url)
            META.create_all(self.engine)
        except (sql.exc.SQLAlchemyError, ImportError, OSError) as error:
            raise StichError(f"the database {_safe(url)} cannot be used: {str(error).splitlines()[0]}") from None
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self._write, name="store", daemon=True)
        self.writer.start()

    async def write(self, job: Callable[[sql.Connection], Any]) -> Any:
        """Runs a job in the writing thread; returns when it is committed."""
        future: Future[Any] = Future()
        self.jobs.put((job, future))
        return await asyncio.wrap_future(future)

    async def read(self, job: Callable[[sql.Connection], Any]) -> Any:
        """Runs a job that only reads, in any thread."""

        def run() -> Any:
            with self.engine.connect() as connection:
                return job(connection)

        return await asyncio.to_thread(run)

    def _write(self) -> None:
        ending = False
        while not ending:
            batch, first = [], self.jobs.get()
            while first is not None:
                batch.append(first)
                if len(batch) == TOGETHER or self.jobs.empty():
                    break
                first = self.jobs.get()
            ending = first is None
            if batch:
                self._commit(batch)

    def _commit(self, batch: Sequence[Job]) -> None:
        """One transaction for all; where that fails, one for each, so that only the faulty job fails."""
        try:
            with self.engine.begin() as connection:
                answers = [job(connection) for job, _ in batch]
        except Exception as error:
            if len(batch) == 1:
                batch[0][1].set_exception(error)
                return
            for one in batch:
                self._commit([one])
            return
        for (_, future), answer in zip(batch, answers, strict=True):
            if not future.cancelled():
                future.set_result(answer)

    def close(self) -> None:
        """Commits what is waiting and ends the thread."""
        self.jobs.put(None)
        self.writer.join()
        self.engine.dispose()

    async def create(self, row: dict[str, Any]) -> None:
        """Stores a new table."""
        await self.write(lambda c: c.execute(sql.insert(TABLES).values(**row)))

    async def change(self, table: str, **values: Any) -> None:
        """Changes a table's row."""
        await self.write(lambda c: c.execute(sql.update(TABLES).where(TABLES.c.id == table).values(**values)))

    async def add_move(
        self, table: str, number: int, seat: Seat, action: Action, returns: list[float] | None = None
    ) -> None:
        """Stores a move and, where it is the last one, the end of the game with it."""
        row = {"table_id": table, "number": number, "seat": seat, "action": action, "at": time.time()}

        def job(connection: sql.Connection) -> None:
            connection.execute(ADD_MOVE, row)
            if returns is not None:
                end = {"status": "finished", "finished": time.time(), "returns": json.dumps(returns)}
                connection.execute(sql.update(TABLES).where(TABLES.c.id == table).values(**end))

        await self.write(job)

    async def load(self, table: str) -> tuple[dict[str, Any], list[Action]] | None:
        """A table's row with its actions in order."""

        def job(connection: sql.Connection) -> Any:
            row = connection.execute(sql.select(TABLES).where(TABLES.c.id == table)).mappings().first()
            if row is None:
                return None
            moves = sql.select(MOVES.c.number, MOVES.c.action).where(MOVES.c.table_id == table)
            found = connection.execute(moves.order_by(MOVES.c.number)).all()
            if [number for number, _ in found] != list(range(len(found))):
                raise StichError(f"the moves of table {table} have a gap")
            return dict(row), [action for _, action in found]

        found: tuple[dict[str, Any], list[Action]] | None = await self.read(job)
        return found

    async def listed(self, status: str, limit: int, before: float | None) -> list[dict[str, Any]]:
        """Tables of a status, the newest first."""
        when = TABLES.c.finished if status == "finished" else TABLES.c.created
        wanted = sql.select(TABLES).where(TABLES.c.status == status).order_by(when.desc()).limit(limit)
        if before is not None:
            wanted = wanted.where(when < before)

        def job(connection: sql.Connection) -> list[dict[str, Any]]:
            return [dict(row) for row in connection.execute(wanted).mappings()]

        found: list[dict[str, Any]] = await self.read(job)
        return found

    async def unfinished(self) -> list[tuple[str, str]]:
        """The ids and status of all tables that may continue."""
        wanted = sql.select(TABLES.c.id, TABLES.c.status).where(TABLES.c.status.in_(("open", "running")))
        return [(row[0], row[1]) for row in await self.read(lambda c: c.execute(wanted).all())]

    async def expire(self, age: float) -> None:
        """Gives up unfinished tables without a move for this many seconds."""
        then = time.time() - age
        lately = sql.select(MOVES.c.table_id).where(MOVES.c.at > then)
        old = TABLES.c.status.in_(("open", "running")) & (TABLES.c.created < then) & TABLES.c.id.not_in(lately)
        await self.write(lambda c: c.execute(sql.update(TABLES).where(old).values(status="abandoned")))

    async def report(self, table: str, number: int, text: str, transcript: dict[str, Any]) -> int:
        """Stores a remark about a move with the game so far; the number of the report."""
        row = {"table_id": table, "number": number, "text": text, "at": time.time()}
        row["transcript"] = json.dumps(transcript, separators=(",", ":"))
        answer = await self.write(lambda c: c.execute(sql.insert(REPORTS).values(**row)).inserted_primary_key)
        return int(answer[0])

    async def reports(self, table: str) -> list[dict[str, Any]]:
        """The remarks about a table's moves."""
        wanted = sql.select(REPORTS).where(REPORTS.c.table_id == table).order_by(REPORTS.c.id)
        rows = await self.read(lambda c: [dict(row) for row in c.execute(wanted).mappings()])
        return [{**row, "transcript": json.loads(row["transcript"])} for row in rows]


ADD_MOVE = sql.insert(MOVES)


def _engine(url: str) -> sql.Engine:
    """The engine of a URL; SQLite is set to WAL mode and to wait for the disk at each commit."""
    found = sql.make_url("postgresql+psycopg" + url[10:] if url.startswith("postgresql:") else url)
    if found.get_backend_name() != "sqlite":
        return sql.create_engine(found, pool_pre_ping=True, pool_size=8)
    shared = not found.database or found.database == ":memory:"
    if not shared:
        Path(str(found.database)).parent.mkdir(parents=True, exist_ok=True)
    more = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}} if shared else {}
    engine = sql.create_engine(found, **more)

    @sql.event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine


def _safe(url: str) -> str:
    """A URL without its password."""
    try:
        return sql.make_url(url).render_as_string(hide_password=True)
    except sql.exc.ArgumentError:
        return repr(url)
