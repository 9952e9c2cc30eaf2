"""Search for protocol and query port of a server.

Without a reply the best guess is returned.
"""

import socket
from collections.abc import Iterator

import pytest
from a2s_samples import a2s_info
from loopback_servers import serving, silent

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_search import ServerSearchResult, find_server, guess_targets
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.a2s.a2s_server import encode_info as write_a2s_info
from browser_app.protocols.a2s.a2s_server import parse_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3_server import encode_info_response, encode_status_response
from browser_app.protocols.quake.quake3_server import parse_quake3_request as read_quake_request
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_code import code_address
from browser_app.protocols.server_link import ServerLink

GAMES = load_games(resource_folder() / "games")


@pytest.fixture
def scanner() -> Iterator[Scanner]:
    with Scanner(GAMES) as scanner:
        yield scanner


def _a2s(datagram: bytes) -> Iterator[bytes]:
    parse_a2s_request(datagram)
    yield write_a2s_info(a2s_info(name="A Source server"))


def _xonotic(datagram: bytes) -> Iterator[bytes]:
    request = read_quake_request(datagram)
    info = {"gamename": "Xonotic", "hostname": "A DarkPlaces server", "sv_maxclients": "8"}
    yield (
        encode_status_response(info, [], challenge=request.challenge)
        if request.wants_players
        else encode_info_response(info, challenge=request.challenge)
    )


def _find(scanner: Scanner, link: ServerLink) -> ServerSearchResult:
    found = find_server(scanner, GAMES, link, CancelToken())
    assert found is not None
    return found


def test_source_server(scanner: Scanner) -> None:
    with serving(_a2s) as (address,):
        found = _find(scanner, ServerLink(address))
    assert found.target is not None
    assert found.target[:2] == (address, "a2s")
    assert found.result is not None
    assert found.result.info is not None
    assert found.result.info.name == "A Source server"


@pytest.mark.slow
def test_darkplaces_by_game(scanner: Scanner) -> None:
    with serving(_xonotic) as (address,):
        found = _find(scanner, ServerLink(address))
    assert found.target is not None
    assert found.target[:3] == (address, "darkplaces", "xonotic")
    assert found.result is not None
    assert found.result.target == found.target


@pytest.mark.slow
def test_silence_gives_best_guess(scanner: Scanner) -> None:
    with serving(silent) as (address,):
        found = _find(scanner, ServerLink(address, "darkplaces", "xonotic", is_query=True))
    assert found == ServerSearchResult(QueryTarget(address, "darkplaces", "xonotic"))


@pytest.mark.slow
def test_target_keeps_the_host_name(scanner: Scanner) -> None:
    with serving(silent) as (address,):
        link = ServerLink(Address("play.example.org", address.port), "a2s", is_query=True)
        found = find_server(scanner, GAMES, link, CancelToken(), lambda _host: [address.host])
    assert found == ServerSearchResult(QueryTarget(address, "a2s", None, host_name="play.example.org"))


@pytest.mark.slow
def test_protocols_are_tried_at_once(scanner: Scanner) -> None:
    requests: list[bytes] = []

    def record(request: bytes) -> tuple[bytes, ...]:
        requests.append(request)
        return ()

    with serving(record) as (address,):
        found = _find(scanner, ServerLink(address))
    protocols = [guess.protocol for guess in guess_targets(GAMES, address, None, None) if guess.address == address]
    first_ones = requests[: sum(not QUERY_PROTOCOLS[name].is_stream for name in protocols)]
    assert found.result is None
    assert len(first_ones) >= 2
    assert len({request[:9] for request in first_ones}) == len(first_ones)


def test_cancel_returns_none(scanner: Scanner) -> None:
    cancel_token = CancelToken()
    cancel_token.cancel()
    assert find_server(scanner, GAMES, ServerLink(Address("127.0.0.1", 9)), cancel_token) is None


def test_port_decides_first_guess() -> None:
    def first(port: int, protocol: str | None = None, game: str | None = None) -> tuple[int, str]:
        target = next(iter(guess_targets(GAMES, Address("192.0.2.1", port), protocol, game)))
        return target.address.port, target.protocol

    assert first(27015) == (27015, "a2s")
    assert first(27960) == (27960, "quake3")
    assert first(27015, "a2s", "ns2") == (27016, "a2s")


def test_zandronum_is_queried_first() -> None:
    """Its servers ignore for ten seconds whoever sends them anything else."""
    first, second, *_ = guess_targets(GAMES, Address("192.0.2.1", 10666), None, None)
    assert (first.protocol, second.protocol) == ("zandronum", "odamex")


def test_no_guess_beyond_last_port() -> None:
    ports = [target.address.port for target in guess_targets(GAMES, Address("192.0.2.1", 65535), "a2s", "ns2")]
    assert ports == [65535]


@pytest.mark.parametrize(
    ("failure", "is_host_unknown"),
    [(socket.EAI_NONAME, True), (socket.EAI_AGAIN, False), (None, True)],
    ids=["no such name", "no name server", "no usable address"],
)
def test_why_host_is_not_found(scanner: Scanner, failure: int | None, is_host_unknown: bool) -> None:
    def look_up(_host: str) -> list[str]:
        if failure is not None:
            raise socket.gaierror(failure, "not found")
        return ["0.0.0.0"]  # noqa: S104 - as from a name server that blocks names

    link = ServerLink(Address("play.example", 27015), "a2s", None)
    found = find_server(scanner, GAMES, link, CancelToken(), look_up)
    assert found == ServerSearchResult(None, is_host_unknown=is_host_unknown)


def test_listed_server_is_taken_as_named(scanner: Scanner) -> None:
    code = code_address("northstar", "0123456789abcdef")
    found = find_server(
        scanner, GAMES, ServerLink(code, "listed", "northstar", is_query=True), CancelToken(), no_lookup
    )
    assert found == ServerSearchResult(QueryTarget(code, "listed", "northstar"))


def no_lookup(host: str) -> Iterator[str]:
    raise AssertionError(f"{host} looked up")
