"""The settings of a server: flags before environment variables before a file before the defaults."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any

from stich.core.errors import StichError

PREFIX = "STICH_SERVE_"


@dataclass(frozen=True)
class Settings:
    """Everything that can be set; the names are those of the flags, the file and, in capitals, the environment."""

    host: Annotated[str, "the address to listen on"] = "127.0.0.1"
    port: Annotated[int, "the port to listen on"] = 8000
    database: Annotated[str, "where tables are kept: SQLite or PostgreSQL as a SQLAlchemy URL"] = (
        "sqlite:///stich.db"
    )
    threads: Annotated[int, "threads in which agents think"] = 2
    seconds: Annotated[float, "the longest that an agent may think about a move"] = 5.0
    memory: Annotated[int, "agents that are kept ready, the least used is dropped first"] = 24
    body: Annotated[int, "the largest request body and WebSocket message in bytes"] = 65536
    rate: Annotated[float, "requests a second from one address, 0 for no limit"] = 100.0
    concurrency: Annotated[int, "requests that are answered at the same time"] = 64
    sockets: Annotated[int, "open WebSockets"] = 2000
    address_sockets: Annotated[int, "open WebSockets of one address, 0 for no limit"] = 100
    tables: Annotated[int, "unfinished tables"] = 2000
    pace: Annotated[float, "the least seconds between moves at a table with people"] = 0.6
    idle: Annotated[float, "seconds after which a table that waits for an absent person leaves the memory"] = 600.0
    expire: Annotated[float, "seconds after which an unfinished table without moves is given up"] = 604800.0
    grace: Annotated[float, "seconds that running requests get when the server stops"] = 10.0
    log: Annotated[str, "how much is logged: debug, info, warning, error"] = "info"
    agents: Annotated[tuple[str, ...], "agents allowed beside the safe ones: solved, http, or module:Class"] = ()
    games: Annotated[tuple[str, ...], "games allowed beside the installed ones: a file.py or a module name"] = ()
    bots: Annotated[Mapping[str, str], "names under /jass/ and the agents behind them"] = field(
        default_factory=dict
    )

    def check(self) -> "Settings":
        """Refuses what makes no sense."""
        least = {"port": 0, "threads": 1, "seconds": 0.01, "memory": 1, "body": 1024, "rate": 0, "concurrency": 1}
        least |= {"sockets": 1, "address_sockets": 0, "tables": 1, "pace": 0, "idle": 1, "expire": 60, "grace": 0}
        for name, low in least.items():
            if getattr(self, name) < low:
                raise StichError(f"the setting {name} must be at least {low:g}, not {getattr(self, name):g}")
        if self.log not in ("debug", "info", "warning", "error"):
            raise StichError(f"the setting log is debug, info, warning or error, not {self.log!r}")
        return self


FIELDS = {one.name: one for one in fields(Settings)}


def load(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """The settings from all sources."""
    found: dict[str, Any] = {}
    for name, value in _read(file).items() if file else ():
        found[name] = _fit(_known(name, str(file)), value)
    for key, text in environment.items():
        if key.startswith(PREFIX):
            name = _known(key.removeprefix(PREFIX).lower(), "the environment")
            found[name] = _fit(name, text)
    found |= {name: _fit(_known(name, "a flag"), value) for name, value in flags.items()}
    return Settings(**found).check()


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StichError(f"the configuration {file} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise StichError(f"the configuration {file} is not TOML: {error}") from None


def _known(name: str, where: str) -> str:
    if name not in FIELDS:
        raise StichError(f"{where} sets {name!r}, which is no setting; there are {', '.join(FIELDS)}")
    return name


def _fit(name: str, value: Any) -> Any:
    """A value of the setting's type; lists are written with `;` between, tables as `name=agent; ...`."""
    default = getattr(Settings(), name)
    try:
        if isinstance(default, Mapping):
            pairs = value.items() if isinstance(value, Mapping) else (part.split("=", 1) for part in _parts(value))
            return {str(key).strip(): str(spec).strip() for key, spec in pairs}
        if isinstance(default, tuple):
            return tuple(str(part) for part in (_parts(value) if isinstance(value, str) else value))
        return type(default)(value)
    except (TypeError, ValueError):
        raise StichError(f"the setting {name} cannot be {value!r}") from None


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]
