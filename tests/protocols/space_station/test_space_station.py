"""Space Station 14: status over HTTP and the hub's list."""

import json

import pytest

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.reply_readers.space_station_server_info import read_space_station_list
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.http_reply import MAX_BODY_BYTES, MAX_HEADER_BYTES, build_http_request
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError
from browser_app.protocols.space_station.status import SpaceStationSession

SERVER = Address("192.0.2.1", 1212)
TARGET = QueryTarget(SERVER, "ss14", "ss14", host_name="station.example.org")
DOCUMENT = {
    "name": "Wizard's Den\u202e Lizard [US West]",
    "players": 41,
    "soft_max_players": 80,
    "tags": ["rp:low", "lang:en", "region:am_n_w", 7],
    "map": "Saltern",
    "preset": "Secret",
    "round_id": 51234,
    "run_level": 1,
    "panic_bunker": False,
    "round_start_time": "2026-11-22T18:00:00.5Z",
}
BODY = json.dumps(DOCUMENT).encode()
HEAD = b"HTTP/1.1 200 OK\r\nServer: x\r\n"
PLAIN = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
CHUNKED = HEAD + b"transfer-encoding: Chunked\r\n\r\n5;a=b\r\n%b\r\n%X\r\n%b\r\n0\r\n\r\n" % (
    BODY[:5],
    len(BODY) - 5,
    BODY[5:],
)
UNTIL_CLOSE = HEAD + b"\r\n" + BODY


def read(reply: bytes, part_bytes: int = 1 << 20) -> SpaceStationSession:
    session = SpaceStationSession(SERVER)
    session.build_request(b"token000")
    for first in range(0, len(reply), part_bytes):
        session.receive(reply[first : first + part_bytes])
    return session


def test_request_names_the_host() -> None:
    request = SpaceStationSession(TARGET.named_address).build_request(b"token000")
    assert request.startswith(b"GET /status HTTP/1.1\r\nHost: station.example.org:1212\r\nUser-Agent: ready-room/")
    assert request.endswith(b"\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n")
    assert b"\r\nHost: [fe80::1]:80\r\n" in build_http_request(Address("fe80::1%eth0", 80), "/")


@pytest.mark.parametrize("part_bytes", [1, 7, 1 << 20])
@pytest.mark.parametrize("reply", [PLAIN, CHUNKED])
def test_reply_may_come_in_any_parts(reply: bytes, part_bytes: int) -> None:
    session = SpaceStationSession(SERVER)
    unread = reply.removesuffix(b"\r\n")  # what follows the size of the last chunk is not waited for
    *steps, last = (session.receive(unread[at : at + part_bytes]) for at in range(0, len(unread), part_bytes))
    assert (set(steps) <= {PARTIAL}, last) == (True, DONE)
    assert session.reply == read(PLAIN).reply


def test_reply_may_end_with_connection() -> None:
    session = read(UNTIL_CLOSE)
    assert session.reply is None
    assert session.skip_current_part()
    assert session.reply == read(PLAIN).reply


@pytest.mark.parametrize("reply", [PLAIN[:-1], CHUNKED[:-8], UNTIL_CLOSE[:-1], HEAD, b""])
def test_truncated_reply_is_no_reply(reply: bytes) -> None:
    session = read(reply)
    assert not session.skip_current_part()
    assert session.reply is None


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (b"SSH-2.0-x\r\n", "not this protocol"),
        (b"HTTP/1.1 OK\r\n\r\n", "not this protocol"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "refused by HTTP"),
        (b"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1/\r\n\r\n", "refused by HTTP"),
        (HEAD + b"no header\r\n\r\n", "invalid header"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n", "compressed"),
        (HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n", "unknown encoding"),
        (HEAD + b"Content-Length: -1\r\n\r\n", "invalid number"),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1), "too large"),
        (HEAD + b"Content-Length: 2\r\n\r\n{}x", "too large"),
        (HEAD + b"\r\n" + b" " * (MAX_BODY_BYTES + 1), "too large"),
        (HEAD + b"a: " + b"b" * MAX_HEADER_BYTES, "too large"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "invalid number"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % (MAX_BODY_BYTES + 1), "too large"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}no\r\n", "truncated text"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 300, "too large"),
        (HEAD + b"Content-Length: 2\r\n\r\n{x", "not JSON"),
        (HEAD + b"Content-Length: 2\r\n\r\n{}", "no status"),
        (HEAD + b"Content-Length: 2\r\n\r\n[]", "no status"),
    ],
)
def test_invalid_reply_is_refused(reply: bytes, reason: str) -> None:
    session = SpaceStationSession(SERVER)
    with pytest.raises(PacketError, match=reason):
        session.receive(reply)
    assert not session.skip_current_part()


def test_status_becomes_info(games: GameRegistry) -> None:
    info = read_reply(read(PLAIN).reply, TARGET, games)
    assert (info.game, info.name, info.map) == ("ss14", "Wizard's Den Lizard [US West]", "Saltern")
    assert (info.players, info.max_players, info.mode, info.password) == (41, 80, "Secret", False)
    assert info.connect == Address("station.example.org", 1212)
    assert info.tags == ("rp:low", "lang:en", "region:am_n_w")
    assert info.rules is not None
    assert dict(info.rules) == {
        "run_level": "round",
        "round_id": "51234",
        "round_start_time": "2026-11-22T18:00:00.5Z",
        "panic_bunker": "off",
        "tags": "rp:low lang:en region:am_n_w",
    }


def test_wrong_values_are_unknown(games: GameRegistry) -> None:
    odd = json.dumps({"name": 7, "players": -1, "soft_max_players": 0, "run_level": 9, "tags": "x"}).encode()
    reply = read(HEAD + b"Content-Length: %d\r\n\r\n" % len(odd) + odd).reply
    info = read_reply(reply, TARGET, games)
    assert (info.name, info.players, info.max_players, info.mode, info.tags) == ("", None, None, None, ())
    assert not info.rules


def test_hub_lists_servers(games: GameRegistry) -> None:
    entries = [
        {"address": "ss14://192.0.2.7:1213/", "statusData": DOCUMENT},
        {"address": "ss14://station.example.org", "statusData": DOCUMENT},
        {"address": "http://192.0.2.7", "statusData": DOCUMENT},
        {"address": "ss14://192.0.2.7:0", "statusData": DOCUMENT},
        {"address": "ss14://192.0.2.8", "statusData": None},
        "x",
    ]
    first, named, *others = read_space_station_list([json.dumps(entries).encode()], games)
    assert others == [None] * 4
    assert first is not None
    assert named is not None
    assert first.target == QueryTarget(Address("192.0.2.7", 1213), "ss14", "ss14")
    assert (first.info.name, first.info.players) == ("Wizard's Den Lizard [US West]", 41)
    assert named.target.address == named.info.connect == Address("station.example.org", 1212)
