"""Recorded packets for tests: one record is one reply of a real server."""

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2s_samples import PLAIN_INFO

from browser_app.protocols.a2s.a2s_server import encode_info
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.query_session import QueryParts, ReceiveStatus

WANTS = {"info": QueryParts.INFO, "players": QueryParts.PLAYERS, "rules": QueryParts.RULES}


@dataclass(frozen=True)
class Record:
    """One line of a data file."""

    id: str
    query: str
    kinds: tuple[str, ...]
    datagrams: tuple[bytes, ...]
    expected: dict[str, Any]


@functools.cache
def load_records(path: Path) -> tuple[Record, ...]:
    """Return all records of one file."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        datagrams = tuple(map(bytes.fromhex, entry["datagrams"]))
        found.append(Record(entry["id"], entry["query"], tuple(entry.get("kinds", ())), datagrams, entry["expected"]))
    return tuple(found)


def a2s_records(data_dir: Path) -> tuple[Record, ...]:
    """Return the A2S replies."""
    return load_records(data_dir / "packets" / "a2s.jsonl")


def session_at(query: str, the_ship: bool = False) -> A2SSession:
    """Return a session that has just sent the request of `query`.

    Its info is known unless that is the request.
    """
    session = A2SSession(WANTS[query])
    session.build_request(b"token000")
    if query != "info":
        info = encode_info(PLAIN_INFO)
        if the_ship:
            info = info[:6] + b"\0\0\0\0" + (2400).to_bytes(2, "little") + bytes(7 + 3) + b"1.0\0"
        assert isinstance(session.receive(info), bytes)
    return session


def receive_all(session: A2SSession, datagrams: tuple[bytes, ...]) -> list[bytes | ReceiveStatus]:
    """Return the result of each datagram."""
    return [session.receive(datagram) for datagram in datagrams]
