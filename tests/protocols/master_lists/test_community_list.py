"""Server lists that a community publishes."""

import json
from typing import Any

import pytest

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.community_list import (
    ListedServer,
    ServerListError,
    ServerListReader,
    encode_server_list,
    parse_server_list,
)
from browser_app.protocols.master_lists.json_list_reader import split_chunks
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_url import parse_server_url


def listed(*entries: Any) -> tuple[ListedServer, ...]:
    return parse_server_list(json.dumps({"servers": list(entries)}))


def test_list_of_urls() -> None:
    assert listed("a2s://1.2.3.4:27016", "quake3://play.example.org:27960/", "darkplaces://[::1]:26000") == (
        ListedServer("a2s", Address("1.2.3.4", 27016), None),
        ListedServer("quake3", Address("play.example.org", 27960), None),
        ListedServer("darkplaces", Address("::1", 26000), None),
    )


def test_output_of_own_list_command() -> None:
    entry = {"address": "1.2.3.4:27016", "connect": "1.2.3.4:27015", "protocol": "a2s", "game": "ns2", "score": None}
    body = {"masters": [], "servers": [entry, {**entry, "game": None}], "sent": 2}
    assert parse_server_list(json.dumps(body).encode()) == (
        ListedServer("a2s", Address("1.2.3.4", 27016), "ns2"),
        ListedServer("a2s", Address("1.2.3.4", 27016), None),
    )


def test_host_name_stands_for_address() -> None:
    entry = {"address": "1.2.3.4:25565", "host_name": "Play.example.org", "protocol": "minecraft"}
    assert listed(entry) == (ListedServer("minecraft", Address("play.example.org", 25565), None),)
    assert listed({**entry, "host_name": "a b"}) == ()


def test_empty_list() -> None:
    assert listed() == ()


@pytest.mark.parametrize(
    "address", ["1.2.3.4:0", "1.2.3.4:70000", "1.2.3.400:5", "255.255.255.255:5", "0.0.0.0:5", "224.0.0.1:5", "1.2.3.4"]
)
def test_bad_addresses_are_skipped(address: str) -> None:
    good = "a2s://1.2.3.4:27016"
    assert listed(f"a2s://{address}", good) == listed(good)
    assert listed({"address": address, "protocol": "a2s"}) == ()


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("1.2.3.4:27016", r"servers\[1\]: not a server URL"),
        ("gopher://1.2.3.4:70", r"servers\[1\]: unknown protocol “gopher”.* a2s, quake3, darkplaces"),
        (5, r"servers\[1\]: neither"),
        (None, r"servers\[1\]: neither"),
        ({}, r"servers\[1\]: address"),
        ({"address": 5, "protocol": "a2s"}, r"servers\[1\]: address"),
        ({"address": "1.2.3.4:5"}, r"servers\[1\]: unknown protocol “”"),
        ({"address": "1.2.3.4:5", "protocol": ["a2s"]}, r"servers\[1\]: unknown protocol"),
        ({"address": "1.2.3.4:5", "protocol": "a2s", "game": 7}, r"servers\[1\]: game"),
    ],
)
def test_errors_name_entry(entry: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        listed("a2s://1.2.3.4:27016", entry)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff\xff", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "servers: missing list"),
        ("{}", "servers: missing list"),
        ('{"servers": "a2s://1.2.3.4:5"}', "servers: missing list"),
    ],
)
def test_invalid_lists(body: bytes | str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_server_list(body)


@pytest.mark.parametrize("entry", ["x" * 5000, "x" * 5000 + "://1.2.3.4:5", {"address": "", "protocol": "y" * 5000}])
def test_error_messages_are_short(entry: Any) -> None:
    with pytest.raises(ValueError, match=r"servers\[0\]") as caught:
        listed(entry)
    assert len(str(caught.value)) < 200 + len(", ".join(QUERY_PROTOCOLS))


def test_lenient_keeps_known_entries() -> None:
    good = "a2s://1.2.3.4:27016"
    entries = [good, "gopher://1.2.3.4:70", 5, "a2s://0.0.0.0:5", {"protocol": "a2s"}]
    reader = ServerListReader(split_chunks(json.dumps({"servers": entries}).encode()))
    assert list(reader) == [*listed(good), None, None, None, None]
    assert reader.unknown_entries == 3
    for body in (b"{", b"[]", b'{"servers": 5}'):
        with pytest.raises(ServerListError, match=r"not JSON|missing"):
            list(ServerListReader([body]))


def test_server_url() -> None:
    assert parse_server_url("a2s://host:5") == ("a2s", Address("host", 5))
    for wrong in ("host:5", "a2s://host", "http://host:5", "a2s://"):
        with pytest.raises(ValueError, match=r"URL|port|protocol|host"):
            parse_server_url(wrong)


def test_encoded_list_is_parsed_again() -> None:
    servers = [
        ListedServer("a2s", Address("192.0.2.7", 27016), "ns2", 'Quiet "Corner" \u2028'),
        ListedServer("quake3", Address("2001:db8::7", 27960), None),
    ]
    body = encode_server_list(servers)
    assert parse_server_list(body) == tuple(server._replace(name="") for server in servers)
    assert parse_server_list(encode_server_list([])) == ()
    assert len(body.splitlines()) == 2 + len(servers)
