"""Masters by GameSpy's protocol: challenge, list, and what else they send."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fake_masters import CollectingSink

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_kinds import master_url_problem, parse_master_source
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.gamespy.gamespy_master_packets import (
    GAME_KEYS,
    answer_challenge,
    build_list_request,
    find_challenge,
    parse_gamespy_list,
)
from browser_app.protocols.master_lists.described_list import DescribedListError

GREETING = b"\\basic\\\\secure\\ABCDEF"
LIST = b"\\ip\\127.0.0.1:7778\\ip\\127.0.0.1:7782\\ip\\224.0.0.1:7778\\ip\\x\\final\\"


@contextmanager
def master(greeting: bytes, reply: bytes, requests: list[bytes] | None = None) -> Iterator[int]:
    """Run a master; returns its port."""

    class Connection(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(greeting)
            request = self.request.recv(1024) if greeting else b""
            if requests is not None:
                requests.append(request)
            self.request.sendall(reply)

    with socketserver.TCPServer(("127.0.0.1", 0), Connection) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def test_list_follows_the_challenge(games: GameRegistry) -> None:
    requests: list[bytes] = []
    with master(GREETING, LIST, requests) as port:
        source = parse_master_source(f"gamespy+tcp://127.0.0.1:{port}/ut", games).for_game(games["ut"])
        collector = CollectingSink()
        source.poll(collector.sink)
    assert requests == [build_list_request(b"ABCDEF", "ut")]
    assert requests[0].endswith(b"\\final\\\\queryid\\1.1\\list\\\\gamename\\ut\\final\\")
    assert [target for batch in collector.batches for target in batch] == [
        QueryTarget(Address("127.0.0.1", port), "gamespy1", "ut") for port in (7778, 7782)
    ]


@pytest.mark.parametrize(
    ("greeting", "reply"), [(b"220 mail\r\n", b""), (b"", b""), (GREETING, b""), (GREETING, b"x" * 2000)]
)
def test_other_services_are_reported(greeting: bytes, reply: bytes, games: GameRegistry) -> None:
    with master(greeting, reply) as port, pytest.raises(RequestError):
        parse_master_source(f"gamespy+tcp://127.0.0.1:{port}/ut", games).poll(CollectingSink().sink)


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_list_may_come_in_any_parts(size: int) -> None:
    chunks = [LIST[first : first + size] for first in range(0, len(LIST), size)]
    expected = [Address("127.0.0.1", 7778), Address("127.0.0.1", 7782), None, None]
    assert list(parse_gamespy_list([*chunks, b"\\ip\\127.0.0.1:9"])) == expected


def test_empty_list_is_a_list() -> None:
    assert list(parse_gamespy_list([b"\\final\\"])) == []
    with pytest.raises(DescribedListError):
        list(parse_gamespy_list([b"x" * 600]))


@pytest.mark.parametrize(
    ("challenge", "game", "answer"),
    [(b"ABCDEF", "ut", b"5OOIQ5Ha"), (b"TXKOAT", "unreal", b"1k5ug9kj"), (b"abcdefg", "mohaa", b"XgTGnlzUQwAA")],
)
def test_challenge_is_answered(challenge: bytes, game: str, answer: bytes) -> None:
    """The answers are those of the function as published, compiled from C."""
    assert answer_challenge(challenge, GAME_KEYS[game]) == answer


def test_challenge_is_found() -> None:
    assert find_challenge(GREETING) == b"ABCDEF"
    assert find_challenge(GREETING[:-1]) is None
    with pytest.raises(DescribedListError):
        find_challenge(b"220 mail")


def test_url_names_a_known_game() -> None:
    assert master_url_problem("gamespy+tcp://master.example.org:28900/ut") is None
    for url in ("gamespy+tcp://master.example.org:28900/x", "gamespy+tcp://master.example.org/ut", "gamespy+tcp://h:1"):
        assert master_url_problem(url)
