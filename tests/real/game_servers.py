"""Real game servers of Debian and npm, and programs that read them, on loopback."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from devtools import unpacked_peers
from devtools.npm_peers import npm_peers_folder
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_registry import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts

START_LIMIT_S = 60.0
ASK_AGAIN_S = 0.05
ANSWER_LIMIT_S = 0.2
OUTPUT_FILE = "output.txt"
GUARD_S = 1.1
"""DarkPlaces answers one query a second to one address."""
_FOLDERS = f"{os.environ.get('PATH', os.defpath)}:/usr/games"
"""Debian keeps games where root's path does not look."""


def program(name: str, package: str) -> str:
    """Where a program is; skips the test where its package is missing."""
    found = shutil.which(name, path=_FOLDERS)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian's package {package})")
    return found


def unpacked_program(package: str) -> str:
    """Where the program of an unpacked package is; skips the test where it is missing."""
    path = unpacked_peers.program_path(package)
    if not path.is_file():
        pytest.skip(f"{path.name} is not unpacked (Debian's package {package}, by packaging/dev.py peers)")
    return str(path)


def npm_packages(*names: str) -> Path:
    """The folder with packages from npm; skips the test where one is missing."""
    folder = npm_peers_folder()
    for name in names:
        if not (folder / "node_modules" / name).is_dir():
            pytest.skip(f"{name} is not installed (npm's package, from packaging/dev.py peers)")
    return folder


class Probe(NamedTuple):
    """How to see that a server is ready: a request, and part of its answer."""

    question: bytes
    sign: bytes
    kind: socket.SocketKind = socket.SOCK_DGRAM


GETSTATUS = Probe(b"\xff\xff\xff\xffgetstatus", b"\\mapname\\")
"""The map is loaded."""


class ServerStart(NamedTuple):
    """How a server is started, and how to see that it is ready."""

    command: Sequence[str]
    port: int
    """Where it answers queries."""
    probe: Probe = GETSTATUS
    files: Mapping[str, str] = MappingProxyType({})
    """Written to its home folder."""


@contextmanager
def running(start: ServerStart, home: Path) -> Iterator[Address]:
    """Run a game server as `server_process` does; its address on loopback."""
    with server_process(start, home):
        yield Address("127.0.0.1", start.port)


@contextmanager
def server_process(start: ServerStart, home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a game server as a process of its own, ready to answer.

    It starts in its home folder, where its output goes to `OUTPUT_FILE`, and is ended by its process id.
    """
    home.mkdir()
    for name, text in start.files.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    # Without attempts, the system's resolver sends no DNS question.
    environment = {**os.environ, "HOME": str(home), "PATH": _FOLDERS, "RES_OPTIONS": "attempts:0"}
    with (
        (home / OUTPUT_FILE).open("wb") as output,
        subprocess.Popen(
            start.command,
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
    ):
        try:
            _wait_for_answer(Address("127.0.0.1", start.port), process, start.probe)
            yield process
        finally:
            process.kill()


def _wait_for_answer(address: Address, process: subprocess.Popen[bytes], probe: Probe) -> None:
    end = time.monotonic() + START_LIMIT_S
    while not _is_ready(address, probe):
        assert process.poll() is None, f"{process.args!r} has ended"
        assert time.monotonic() < end, f"{address} does not answer"
        time.sleep(ASK_AGAIN_S)
    time.sleep(GUARD_S)


def _is_ready(address: Address, probe: Probe) -> bool:
    with socket.socket(socket.AF_INET, probe.kind) as sock:
        sock.settimeout(ANSWER_LIMIT_S)
        try:
            sock.connect(address)
            sock.sendall(probe.question)
            return probe.sign in sock.recv(65535)
        except (TimeoutError, ConnectionError):
            return False


def quakestat(kind: str, address: Address) -> dict[str, Any]:
    """Return what quakestat reads from a server, with its rules and players."""
    command = [program("quakestat", "qstat"), "-json", "-utf8", "-R", "-P", f"-{kind}", str(address)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    (found,) = json.loads(done.stdout)
    time.sleep(GUARD_S)
    assert isinstance(found, dict)
    return found


def gamedig(kind: str, address: Address) -> dict[str, Any]:
    """Return what GameDig reads from a server, queried as one of its kinds of game."""
    command = [program("node", "npm"), str(npm_packages("gamedig") / "node_modules/gamedig/bin/gamedig.js")]
    command += ["--type", kind, "--givenPortOnly", str(address)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    assert "error" not in found, found
    return found


def query(protocol: str, address: Address) -> QueryResult:
    """Return what Ready Room's scanner reads from a server."""
    with Scanner(load_games(resource_folder() / "games")) as scanner:
        scan = scanner.scan([QueryTarget(address, protocol, None)], pace=PACES["unlimited"], parts=QueryParts.ALL)
        scan.seal()
        assert scan.wait(LIMIT_S)
    (result,) = scan.results
    return result


def info_of(result: QueryResult) -> ServerInfo:
    """What is known of a server that must have answered, with a measured ping."""
    assert (result.status, result.error) == (QueryStatus.OK, None)
    assert result.info is not None
    assert result.ping_ms is not None
    assert not result.ping_estimated
    return result.info
