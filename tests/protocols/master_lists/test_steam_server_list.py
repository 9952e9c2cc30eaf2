"""Steam's Web API: requests, and responses of every quality."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.json_list_reader import split_chunks
from browser_app.protocols.master_lists.steam_server_list import (
    SteamListError,
    SteamServer,
    build_server_list_request,
    build_steam_filter,
    parse_steam_servers,
)

ENTRY = {
    "addr": "1.2.3.4:27016",
    "gameport": 27015,
    "steamid": "90071992547409921",
    "name": "A server",
    "appid": 4920,
    "gamedir": "Natural Selection 2",
    "version": "344",
    "product": "ns2",
    "region": 3,
    "players": 12,
    "max_players": 20,
    "bots": 0,
    "map": "ns2_veil",
    "secure": True,
    "dedicated": True,
    "os": "l",
    "gametype": "344|ns2|M",
}


def parsed(body: bytes | str) -> tuple[SteamServer, ...]:
    chunks = split_chunks(body.encode() if isinstance(body, str) else body)
    return tuple(server for server in parse_steam_servers(chunks) if server is not None)


def reply(*entries: Any) -> bytes:
    return json.dumps({"response": {"servers": list(entries)}}).encode()


def test_complete_entry() -> None:
    assert parsed(reply(ENTRY)) == (
        SteamServer(
            address=Address("1.2.3.4", 27016),
            game_port=27015,
            steam_id=90071992547409921,
            appid=4920,
            name="A server",
            map="ns2_veil",
            folder="Natural Selection 2",
            version="344",
            players=12,
            max_players=20,
            bots=0,
            keywords="344|ns2|M",
            vac=True,
            dedicated=True,
        ),
    )


def test_keyless_response_for_one_address() -> None:
    body = {
        "response": {
            "success": True,
            "servers": [
                {
                    "addr": "1.2.3.4:27016",
                    "gmsindex": 65534,
                    "steamid": "90071992547409921",
                    "appid": 4920,
                    "gamedir": "ns2",
                    "region": -1,
                    "secure": False,
                    "lan": False,
                    "gameport": 27015,
                    "specport": 0,
                }
            ],
        }
    }
    (server,) = parsed(json.dumps(body))
    assert (server.address, server.game_port, server.appid, server.name) == (
        Address("1.2.3.4", 27016),
        27015,
        4920,
        None,
    )


@pytest.mark.parametrize(
    "body", ['{"response": {}}', '{"response": {"servers": []}}', b'{"response":{"success":true}}']
)
def test_no_match_is_empty_list(body: bytes | str) -> None:
    assert parsed(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        *("", "<html>Forbidden</html>", "null", "[]", "{}", '{"response": []}', '{"response": {"servers": {}}}'),
        *('{"response": {"success": false}}', "[" * 100_000, "9" * 5000, b"\xff\xfe\x00"),
    ],
)
def test_invalid_responses(body: bytes | str) -> None:
    with pytest.raises(SteamListError, match="Steam"):
        parsed(body)


@pytest.mark.parametrize(
    "addr",
    [
        *(None, 5, "", "1.2.3.4", "1.2.3.4:0", "1.2.3.4:70000", "example.org:27015", "169.254.10.20:27015"),
        *("0.0.0.0:27015", "255.255.255.255:27015", "224.0.0.1:27015"),
    ],
)
def test_unreachable_is_dropped(addr: Any) -> None:
    assert parsed(reply({**ENTRY, "addr": addr}, "text", None, ENTRY)) == parsed(reply(ENTRY))


@pytest.mark.parametrize(
    ("field", "value", "attribute"),
    [
        ("gameport", 0, "game_port"),
        ("gameport", "x", "game_port"),
        ("gameport", 70000, "game_port"),
        ("steamid", "9" * 30, "steam_id"),
        ("steamid", "٣", "steam_id"),
        ("players", -1, "players"),
        ("players", True, "players"),
        ("players", 3.5, "players"),
        ("players", [], "players"),
        ("name", 5, "name"),
        ("secure", "yes", "vac"),
    ],
)
def test_wrong_type_is_unknown(field: str, value: Any, attribute: str) -> None:
    (server,) = parsed(reply({**ENTRY, field: value}))
    assert getattr(server, attribute) is None


def test_bad_utf8_and_controls() -> None:
    body = b'{"response": {"servers": [{"addr": "1.2.3.4:5", "name": "a\xff\x01\tb"}]}}'
    (server,) = parsed(body)
    assert server.name == "a\ufffd\x01\tb"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_any_value_in_any_field(value: Any) -> None:
    for field in ENTRY:
        parsed(reply({**ENTRY, field: value}))


def test_request_has_key_limit_and_filter() -> None:
    listed = build_server_list_request(build_steam_filter({"appid": 4920, "empty": 1}), key="K", limit=500)
    assert listed.path == "/IGameServersService/GetServerList/v1/"
    assert listed.params == {"key": "K", "format": "json", "limit": "500", "filter": r"\appid\4920\empty\1"}


def test_filter_rejects_backslash() -> None:
    with pytest.raises(ValueError, match="backslash"):
        build_steam_filter({"map": r"ns2_veil\appid\730"})
