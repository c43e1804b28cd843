"""A PostgreSQL server of one's own in a temporary folder, where its programs are installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs() -> Path | None:
    """The folder of initdb and postgres, the newest version's."""
    found = [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


def user() -> str | None:
    """PostgreSQL refuses to run as root: another user then."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return pytest.skip("PostgreSQL does not run as root, and there is no other user")


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a fresh server, reached through a socket in its folder."""
    where = programs()
    if where is None:
        pytest.skip("the PostgreSQL server is not installed")
    name = user()
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    if name:
        shutil.chown(folder, name)
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C"}
    data = folder / "data"
    begin = [where / "initdb", "-D", data, "-U", "stich", "--auth=trust", "--no-sync", "-E", "UTF8"]
    subprocess.run(begin, check=True, capture_output=True, user=name, env=environment, cwd=folder)
    run = [where / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
    server = subprocess.Popen(
        run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=name, env=environment, cwd=folder
    )
    try:
        ready = [where / "pg_isready", "-h", folder, "-U", "stich", "-q"]
        deadline = time.monotonic() + 30
        while subprocess.run(ready, check=False).returncode:
            assert server.poll() is None, "PostgreSQL has not started"
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield f"postgresql://stich@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)
