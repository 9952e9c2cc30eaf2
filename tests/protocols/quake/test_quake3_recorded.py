"""Every recorded Quake III reply, sent through a session.

Compared with its source.
"""

from pathlib import Path

from recorded_data import expected_recordings
from recorded_packets import Record, load_records

from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster import parse_servers_packet
from browser_app.protocols.quake.quake3 import Quake3Reply, Quake3Session
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import DONE, QueryParts

SERVER = Address("192.0.2.1", 27960)
RECORDED_TOKEN = b"RGS"
"""Challenge of the recorded requests that had one."""


def records(data_dir: Path) -> list[Record]:
    return [r for r in load_records(data_dir / "packets" / "quake3.jsonl") if r.query in ("status", "info")]


def replay(record: Record) -> Quake3Reply:
    session = QUERY_PROTOCOLS["quake3"].new_session(QueryParts.INFO, SERVER)
    assert isinstance(session, Quake3Session)
    session.build_request(RECORDED_TOKEN)
    assert session.receive(record.datagrams[0]) is DONE
    assert session.answered_attempt == (0 if "challenge-echoed" in record.kinds else None)
    assert session.reply is not None
    return session.reply


def as_latin1(text: str, raw: bytes) -> str:
    """Return the text as its source shows it.

    Bytes decoded as Latin-1, which are UTF-8 in some replies.
    """
    as_bytes = text.encode("utf-8")
    return as_bytes.decode("latin-1") if as_bytes in raw else text


def test_recorded_infostrings(data_dir: Path) -> None:
    wrong = []
    for record in records(data_dir):
        raw = record.datagrams[0]
        shown = {key: as_latin1(value, raw) for key, value in replay(record).info.items()}
        wrong += [(record.id, key) for key, value in record.expected["info"].items() if shown.get(key) != value]
    assert wrong == []


def test_recorded_players(data_dir: Path) -> None:
    seen = 0
    for record in records(data_dir):
        players = replay(record).players
        if record.query == "info":
            assert players is None
            continue
        assert players is not None
        raw = record.datagrams[0]
        shown = [(as_latin1(player.name, raw), player.score, player.ping, player.team) for player in players]
        wanted = [(row["name"], str(row["score"]), row["ping"], row.get("team")) for row in record.expected["players"]]
        assert shown == wanted, record.id
        seen += len(shown)
    assert seen >= expected_recordings(data_dir).quake3_players


def test_recorded_master_replies(data_dir: Path) -> None:
    files = [path for path in (data_dir / "packets").glob("*.jsonl") if path.stem in ("quake3", "masters")]
    found = [record for path in files for record in load_records(path) if record.query == "servers"]
    assert found
    for record in found:
        packet = parse_servers_packet(record.datagrams[0])
        assert [str(address) for address in packet.addresses] == record.expected["servers"], record.id
        assert packet.is_last == record.expected["eot"], record.id
