"""What real game servers themselves have recorded of the packets that they got.

A server's log where it has one, else the system calls in which it read datagrams from its socket, by `strace`.
"""

import re
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import installed_servers
import pytest
from game_servers import OUTPUT_FILE, ServerStart, program, server_process

from browser_app.protocols.address import Address

TRACE_FILE: Final = "reads.txt"
DATAGRAMS, CONNECTIONS = "requests", "connections"
"""What a record counts."""
_ATTACH_LIMIT_S = 10.0
_READ: Final = re.compile(rb"recv(?:from|msg|mmsg)\b.*sa_family=AF_INET.* = (\d+)")
_RAW, _RECORD_HEAD = 0, struct.Struct("<iI")


def _lines_with(word: bytes) -> Callable[[Path], int]:
    return lambda home: (home / OUTPUT_FILE).read_bytes().count(word)


def _network_log(home: Path) -> int:
    """Return how many datagrams DDNet has recorded; unpacked ones follow the raw ones."""
    (file,) = home.glob(".local/share/ddnet/dumps/network_recv_*")
    data, place, count = file.read_bytes(), 0, 0
    while place < len(data):
        kind, length = _RECORD_HEAD.unpack_from(data, place)
        count += kind == _RAW
        place += _RECORD_HEAD.size + length
    return count


def _reads(home: Path) -> int:
    return len(_READ.findall((home / TRACE_FILE).read_bytes()))


@dataclass(frozen=True)
class RealServer:
    """A game server that can be installed here, and how it records what it gets."""

    title: str
    protocol: str
    start: Callable[[Path], ServerStart]
    count: Callable[[Path], int] = _reads
    """Returns the number in its record, from its home folder."""
    unit: str = DATAGRAMS
    is_peer: bool = True
    """Whether `packaging/dev.py peers` installs it."""

    @property
    def is_traced(self) -> bool:
        """Whether it has no log of its own."""
        return self.count is _reads

    @property
    def record(self) -> str:
        """What is counted, and where."""
        return f"{self.unit}, {'strace' if self.is_traced else 'log'}"


REAL_SERVERS = (
    RealServer("OpenArena", "quake3", installed_servers.openarena, _lines_with(b"SV packet 127.0.0.1")),
    RealServer("Nexuiz 2.5", "darkplaces", installed_servers.nexuiz, _lines_with(b"LHNET_Read(")),
    RealServer("DDNet 16.4", "teeworlds06", installed_servers.ddnet, _network_log),
    RealServer("Teeworlds 0.7.5", "teeworlds07", installed_servers.teeworlds),
    RealServer("Luanti 5.6.1", "luanti", installed_servers.luanti, _lines_with(b"<- 127.0.0.1:")),
    RealServer("flying-squid 1.12", "minecraft", installed_servers.minecraft, _lines_with(b"request ping"), DATAGRAMS),
    RealServer("JSPrismarine 0.14", "bedrock", installed_servers.bedrock, _lines_with(b"datagram\n")),
    RealServer("Sauerbraten 2020", "cube2", installed_servers.sauerbraten),
    RealServer("Red Eclipse 1.6", "redeclipse", installed_servers.red_eclipse),
    RealServer("OpenTTD 13", "openttd", installed_servers.openttd, _lines_with(b"Client connected from"), CONNECTIONS),
    RealServer("BZFlag 2.4", "bzflag", installed_servers.bzflag_server),
    RealServer("Armagetron 0.2.9.1", "armagetron", installed_servers.armagetron_server),
    RealServer("SuperTuxKart 1.4", "stk", installed_servers.supertuxkart_server, is_peer=False),
    RealServer("Mumble 1.3.4", "mumble", installed_servers.mumble),
    RealServer("mvdsv 0.35", "quakeworld", installed_servers.quakeworld),
    RealServer("Chocolate Doom 3.0", "chocolate-doom", installed_servers.chocolate_doom),
)


@dataclass
class RunningServer:
    """A real server that answers queries."""

    server: RealServer
    address: Address
    home: Path
    recorded_before: int
    """Count of its record before the measurement."""

    @property
    def url(self) -> str:
        """Its address with its protocol."""
        return f"{self.server.protocol}://{self.address}"

    def recorded(self) -> int:
        """Return what it has recorded since the measurement began."""
        return self.server.count(self.home) - self.recorded_before


@contextmanager
def running_servers(folder: Path) -> Iterator[tuple[list[RunningServer], list[str]]]:
    """Run all installed servers; also the reasons why others are missing."""
    running: list[RunningServer] = []
    missing: list[str] = []
    with ExitStack() as ends:
        for server in REAL_SERVERS:
            home = folder / server.protocol
            try:
                start = server.start(home)
                tracing = _traced_by(server)
            except pytest.skip.Exception as lacking:
                missing.append(str(lacking))
                continue
            process = ends.enter_context(server_process(start, home))
            if tracing is not None:
                ends.enter_context(_traced(process.pid, tracing, home))
            running.append(RunningServer(server, Address("127.0.0.1", start.port), home, 0))
        for each in running:
            each.recorded_before = each.recorded()
        yield running, missing


def _traced_by(server: RealServer) -> str | None:
    return program("strace", "strace") if server.is_traced else None


@contextmanager
def _traced(pid: int, strace_program: str, home: Path) -> Iterator[None]:
    """Record the calls in which a process reads datagrams, until the block ends."""
    said, trace = home / "strace.txt", home / TRACE_FILE
    command = [strace_program, "-f", "-z", "-e", "trace=recvfrom,recvmsg,recvmmsg", "-o", str(trace)]
    with said.open("wb") as output, subprocess.Popen([*command, "-p", str(pid)], stderr=output) as strace:
        try:
            end_s = time.monotonic() + _ATTACH_LIMIT_S
            while b"attached" not in said.read_bytes():
                assert strace.poll() is None, said.read_text()
                assert time.monotonic() < end_s, "strace did not attach"
                time.sleep(0.02)
            yield
        finally:
            strace.terminate()
