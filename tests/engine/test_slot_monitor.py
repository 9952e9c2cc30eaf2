"""Waiting for a slot: query interval, what counts as free, and every outcome."""

import threading
import time
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pytest
from loopback_servers import Handler, a2s, quake3, serving
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.engine import slot_monitor
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.slot_monitor import SlotCheck, SlotMonitor, SlotMonitorOutcome, has_free_slot
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3 import Quake3Player

pytestmark = pytest.mark.slow

GAMES = load_games(resource_folder() / "games")
INTERVAL_S = 0.2
FOUR = [Quake3Player("anybody", "0", 40, None)] * 4


@pytest.fixture
def scanner() -> Iterator[Scanner]:
    with Scanner(GAMES) as scanner:
        yield scanner


class ScriptedServer:
    """A server that answers each request by the next of these handlers.

    The last one is repeated; the times are recorded.
    """

    def __init__(self, *handlers: Handler) -> None:
        self._handlers = list(handlers)
        self.request_times_s: list[float] = []

    def __call__(self, request: bytes) -> Iterable[bytes]:
        self.request_times_s.append(time.monotonic())
        handler = self._handlers.pop(0) if len(self._handlers) > 1 else self._handlers[0]
        return handler(request)


def full(slots: int = 4) -> Handler:
    return quake3(FOUR, sv_maxclients=str(slots), sv_privateClients="0")


def not_full() -> Handler:
    return quake3(FOUR[:3], sv_maxclients="4", sv_privateClients="0")


def silent(_request: bytes) -> tuple[bytes, ...]:
    return ()


def watch(
    scanner: Scanner, address: Address, protocol: str = "quake3", **times: float
) -> tuple[SlotMonitorOutcome, list[SlotCheck]]:
    checks: list[SlotCheck] = []
    options = {"interval_s": INTERVAL_S, "silence_limit_s": 30.0} | times
    return SlotMonitor(scanner, QueryTarget(address, protocol, None), checks.append, **options).run(), checks


def test_ends_when_player_leaves(scanner: Scanner) -> None:
    server = ScriptedServer(full(), full(), full(), not_full())
    with serving(server) as (address,):
        began_s = time.monotonic()
        end, checks = watch(scanner, address)
    assert end is SlotMonitorOutcome.FREE
    assert [check.result.info.players for check in checks if check.result.info] == [4, 4, 4, 3]
    assert len(server.request_times_s) == 4
    assert server.request_times_s[-1] - began_s >= 3 * INTERVAL_S


def test_reserved_slot_is_not_free(scanner: Scanner) -> None:
    reserved = quake3(FOUR, sv_maxclients="6", sv_privateClients="2")
    server = ScriptedServer(reserved, reserved, not_full())
    with serving(server) as (address,):
        end, checks = watch(scanner, address)
    assert (end, len(checks)) == (SlotMonitorOutcome.FREE, 3)


def test_steam_server(scanner: Scanner) -> None:
    with serving(a2s(players=3, bots=0, max_players=4)) as (address,):
        assert watch(scanner, address, "a2s")[0] is SlotMonitorOutcome.FREE


def test_silence_limit(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0

    def late(_request: bytes) -> tuple[bytes, ...]:
        nonlocal now_s
        now_s += 20.0
        return ()

    monkeypatch.setattr(slot_monitor, "time", SimpleNamespace(monotonic=lambda: now_s))
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(0.6,), late_reply_wait_s=0.6))
    with serving(ScriptedServer(full(), late, full(), late)) as (address,):
        end, checks = watch(scanner, address, silence_limit_s=50.0)
    assert end is SlotMonitorOutcome.SILENT
    assert [check.result.info is None for check in checks] == [False, True, False, True, True, True]
    assert [check.silent_s for check in checks] == [0.0, 20.0, 0.0, 20.0, 40.0, 60.0]


@pytest.mark.parametrize("while_querying", [True, False])
def test_cancel_ends_at_once(scanner: Scanner, monkeypatch: pytest.MonkeyPatch, while_querying: bool) -> None:
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(2 * LIMIT_S,)))
    queried = threading.Event()
    ends: list[SlotMonitorOutcome] = []

    def result(request: bytes) -> Iterable[bytes]:
        queried.set()
        return silent(request) if while_querying else full()(request)

    with serving(result) as (address,):
        reported = threading.Event()
        wait = SlotMonitor(
            scanner, QueryTarget(address, "quake3", None), lambda _: reported.set(), interval_s=2 * LIMIT_S
        )
        thread = threading.Thread(target=lambda: ends.append(wait.run()))
        thread.start()
        assert (queried if while_querying else reported).wait(LIMIT_S)
        wait.cancel()
        thread.join(LIMIT_S)
        assert not thread.is_alive()
    assert ends == [SlotMonitorOutcome.CANCELLED]


def test_first_query_may_wait(scanner: Scanner) -> None:
    server = ScriptedServer(not_full())
    with serving(server) as (address,):
        began_s = time.monotonic()
        SlotMonitor(scanner, QueryTarget(address, "quake3", None), lambda _: None).run(first_in_s=0.3)
    assert server.request_times_s[0] - began_s >= 0.3


def info(**changes: object) -> ServerInfo:
    values: dict[str, object] = {"players": 3, "bots": 0, "spectators": 0, "max_players": 4}
    return ServerInfo(None, "", "", Address("192.0.2.1", 1), **(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "free"),
    [
        ({}, True),
        ({"reserved": 1}, False),
        ({"joinable": False}, False),
        ({"joinable": True}, True),
        ({"players": None}, False),
        ({"max_players": None}, False),
    ],
)
def test_has_free_slot(values: dict[str, object], free: bool) -> None:
    assert has_free_slot(info(**values)) is free
