"""Datagrams are either parsed or rejected, and a rejected one changes nothing."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from a2s_samples import PLAIN_INFO
from hypothesis import example, given, settings
from hypothesis import strategies as st
from recorded_packets import Record, a2s_records, load_records, session_at

from browser_app.protocols.a2s import a2s_server
from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.quake import dpmaster_server, quake3_server
from browser_app.protocols.quake.dpmaster import parse_servers_packet
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import DONE, PacketError, QueryParts, QuerySession

QUERIED = sorted(name for name, protocol in QUERY_PROTOCOLS.items() if not protocol.is_listed_only)

pytestmark = pytest.mark.slow

SERVER = Address("192.0.2.1", 7777)

OTHER_PROTOCOLS = ("gamespy1", "gamespy2", "gamespy3", "quake2", "teeworlds", "unreal2")
READERS: dict[str, Callable[[bytes], object]] = {
    "master's list": parse_servers_packet,
    "master's requests": dpmaster_server.parse_master_request,
    "A2S requests": a2s_server.parse_a2s_request,
    "Quake III requests": quake3_server.parse_quake3_request,
}


def is_accepted(receive: Callable[[bytes], object], data: bytes) -> bool:
    """Return whether the datagram was accepted.

    Any exception but `PacketError` fails the test.
    """
    try:
        receive(data)
    except PacketError:
        return False
    return True


def corrupted(data: bytes, step: int, seed: int) -> Iterator[bytes]:
    """Yield prefixes, and copies with one byte changed.

    All in the first 64 bytes, then every `step`-th.
    """
    rng = random.Random(seed)
    for position in (*range(min(64, len(data))), *range(64, len(data), step)):
        yield data[:position]
        yield data[:position] + bytes([data[position] ^ rng.randrange(1, 256)]) + data[position + 1 :]


def test_corrupted_info_replies(data_dir: Path) -> None:
    for record in a2s_records(data_dir):
        if record.query == "info":
            (data,) = record.datagrams
            for seed, bad in enumerate(corrupted(data, step=1, seed=len(data))):
                session = session_at("info")
                taken = is_accepted(session.receive, bad)
                if not taken and seed % 4 == 0:
                    assert session.receive(data) is DONE


def test_corrupted_lists(data_dir: Path) -> None:
    for record in a2s_records(data_dir):
        if record.query != "info":
            start = session_at(record.query, the_ship="the-ship" in record.kinds)
            for turn, data in enumerate(record.datagrams):
                for bad in corrupted(data, step=7, seed=turn):
                    replace_datagram(record, turn, bad, start)


def replace_datagram(record: Record, turn: int, bad: bytes, start: A2SSession) -> None:
    session = session_at(record.query)
    session.reply = start.reply
    for datagram in (*record.datagrams[:turn], bad, *record.datagrams[turn + 1 :]):
        is_accepted(session.receive, datagram)


def test_corrupted_status_replies(data_dir: Path) -> None:
    for record in load_records(data_dir / "packets" / "quake3.jsonl"):
        for bad in corrupted(record.datagrams[0], step=1, seed=1):
            for name in ("quake3", "darkplaces"):
                session = QUERY_PROTOCOLS[name].new_session(QueryParts.INFO, SERVER)
                session.build_request(b"token000")
                is_accepted(session.receive, bad)
            is_accepted(parse_servers_packet, bad)


@pytest.mark.parametrize("other", OTHER_PROTOCOLS)
def test_others_are_rejected(data_dir: Path, other: str) -> None:
    records = load_records(data_dir / "packets" / f"other_{other}.jsonl")
    assert records
    for record in records:
        for name in QUERIED:
            if name == other:
                continue
            session = QUERY_PROTOCOLS[name].new_session(QueryParts.ALL, SERVER)
            session.build_request(b"token000")
            for datagram in record.datagrams:
                assert not is_accepted(session.receive, datagram), (record.id, name)
            assert session.reply is None


def test_protocols_reject_others(data_dir: Path) -> None:
    quake = [datagram for r in load_records(data_dir / "packets" / "quake3.jsonl") for datagram in r.datagrams]
    for datagram in quake:
        assert not is_accepted(session_at("info").receive, datagram)
    for record in a2s_records(data_dir):
        for datagram in record.datagrams:
            session = QUERY_PROTOCOLS["quake3"].new_session(QueryParts.INFO, SERVER)
            assert not is_accepted(session.receive, datagram)
            assert not is_accepted(parse_servers_packet, datagram)


HEADS = st.sampled_from(
    [
        b"",
        *(b"\xff\xff\xff\xff" + kind for kind in (b"", b"I", b"m", b"A", b"D", b"E")),
        b"\xfe\xff\xff\xff",
        b"\xfe\xff\xff\xff\x01\0\0\x80\x01\0",
        b"\xff\xff\xff\xffstatusResponse\n",
        b"\xff\xff\xff\xffinfoResponse\n\\",
        b"\xff\xff\xff\xffgetserversResponse",
        b"\xff\xff\xff\xffgetserversExtResponse",
        b"\xff\xff\xff\xffgetservers ",
        b"\xff\xff\xff\xffgetserversExt ",
        b"\xff\xff\xff\xffheartbeat ",
    ]
)
DATAGRAMS = st.builds(bytes.__add__, HEADS, st.binary(max_size=300))


@given(st.lists(DATAGRAMS, max_size=8), st.sampled_from(QUERIED), st.sampled_from(list(QueryParts)))
@settings(max_examples=300)
def test_random_bytes_in_clients(datagrams: list[bytes], name: str, want: QueryParts) -> None:
    session: QuerySession = QUERY_PROTOCOLS[name].new_session(want, SERVER)
    session.build_request(b"token000")
    for datagram in datagrams:
        is_accepted(session.receive, datagram)
        session.is_probe_reply(datagram)


@given(DATAGRAMS)
@example(b"\xff\xff\xff\xffgetserversResponse\\" + b"\xff" * 40)
@settings(max_examples=300)
def test_random_bytes_in_masters_and_servers(data: bytes) -> None:
    for read in READERS.values():
        is_accepted(read, data)


@pytest.mark.parametrize("size", [65_507, 65_535])
def test_largest_datagrams(size: int) -> None:
    filled = [
        b"\xff\xff\xff\xffI\x11" + b"a\0" * size,
        b"\xff\xff\xff\xffD\xff" + b"\0" * size,
        b"\xff\xff\xff\xffE\xff\xff" + b"\0" * size,
        b"\xff\xff\xff\xffstatusResponse\n" + b"\\" * size,
        b"\xff\xff\xff\xffstatusResponse\n\\a\\b\n" + b'1 1 "' * size,
        b"\xff\xff\xff\xffgetserversResponse" + b"\\" * size,
        b"\xfe\xff\xff\xff\0\0\0\0\x20\x01" + b"\0" * size,
    ]
    for data in filled:
        for query in ("info", "players", "rules"):
            is_accepted(session_at(query).receive, data[:size])
        is_accepted(QUERY_PROTOCOLS["quake3"].new_session(QueryParts.INFO, SERVER).receive, data[:size])
        is_accepted(parse_servers_packet, data[:size])


def test_rejected_changes_nothing() -> None:
    session = A2SSession(QueryParts.PLAYERS)
    session.receive(a2s_server.encode_info(PLAIN_INFO))
    for bad in (b"", b"\xff\xff\xff\xffD", b"\xfe\xff\xff\xff" + b"\0" * 20, a2s_server.encode_info(PLAIN_INFO)):
        assert not is_accepted(session.receive, bad)
    crew = [A2SPlayer("Ann", 1, 2.0)]
    assert session.receive(a2s_server.encode_players(crew)) is DONE
    assert session.reply is not None
    assert session.reply.players == tuple(crew)
