"""Waiting for a slot: query interval, what counts as free, and every outcome."""

import threading
import time
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pytest
from loopback_servers import Handler, a2s, quake3, serving
from patience import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.engine import slot_monitor
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.slot_monitor import SlotCheck, SlotMonitor, SlotWatchOutcome
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.quake3 import Quake3Player

GAMES = load_games(resource_folder() / "games")
EVERY_S = 0.2
FOUR = [Quake3Player("anybody", "0", 40, None)] * 4


@pytest.fixture
def scanner() -> Iterator[Scanner]:
    with Scanner(GAMES) as scanner:
        yield scanner


class Visitors:
    """A server that answers each request by the next of these handlers, the last one forever; records times."""

    def __init__(self, *handlers: Handler) -> None:
        self._handlers = list(handlers)
        self.asked_s: list[float] = []

    def __call__(self, request: bytes) -> Iterable[bytes]:
        self.asked_s.append(time.monotonic())
        handler = self._handlers.pop(0) if len(self._handlers) > 1 else self._handlers[0]
        return handler(request)


def full(slots: int = 4) -> Handler:
    return quake3(FOUR, sv_maxclients=str(slots), sv_privateClients="0")


def room() -> Handler:
    return quake3(FOUR[:3], sv_maxclients="4", sv_privateClients="0")


def silent(_request: bytes) -> tuple[bytes, ...]:
    return ()


def watch(
    scanner: Scanner, address: Address, protocol: str = "quake3", **times: float
) -> tuple[SlotWatchOutcome, list[SlotCheck]]:
    looks: list[SlotCheck] = []
    wanted = {"every_s": EVERY_S, "silent_s": 30.0} | times
    return SlotMonitor(scanner, QueryTarget(address, protocol, None), looks.append, **wanted).run(), looks


def test_it_ends_when_somebody_leaves_and_asks_no_more_often_than_said(scanner: Scanner) -> None:
    server = Visitors(full(), full(), full(), room())
    with serving(server) as (address,):
        began_s = time.monotonic()
        end, looks = watch(scanner, address)
    assert end is SlotWatchOutcome.FREE
    assert [look.result.info.players for look in looks if look.result.info] == [4, 4, 4, 3]
    assert len(server.asked_s) == 4
    assert server.asked_s[-1] - began_s >= 3 * EVERY_S


def test_a_slot_that_is_reserved_is_not_free(scanner: Scanner) -> None:
    reserved = quake3(FOUR, sv_maxclients="6", sv_privateClients="2")
    server = Visitors(reserved, reserved, room())
    with serving(server) as (address,):
        end, looks = watch(scanner, address)
    assert (end, len(looks)) == (SlotWatchOutcome.FREE, 3)


def test_steam_servers_are_watched_too(scanner: Scanner) -> None:
    with serving(a2s(players=3, bots=0, max_players=4)) as (address,):
        assert watch(scanner, address, "a2s")[0] is SlotWatchOutcome.FREE


def test_a_short_silence_is_waited_out_and_a_long_one_ends_it(
    scanner: Scanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 0.0

    def late(_request: bytes) -> tuple[bytes, ...]:
        nonlocal now_s
        now_s += 20.0
        return ()

    monkeypatch.setattr(slot_monitor, "time", SimpleNamespace(monotonic=lambda: now_s))
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(0.6,), late_reply_wait_s=0.6))
    with serving(Visitors(full(), late, full(), late)) as (address,):
        end, looks = watch(scanner, address, silent_s=50.0)
    assert end is SlotWatchOutcome.SILENT
    assert [look.result.info is None for look in looks] == [False, True, False, True, True, True]
    assert [look.silent_s for look in looks] == [0.0, 20.0, 0.0, 20.0, 40.0, 60.0]


@pytest.mark.parametrize("while_asking", [True, False])
def test_cancelling_ends_it_at_once(scanner: Scanner, monkeypatch: pytest.MonkeyPatch, while_asking: bool) -> None:
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(2 * LIMIT_S,)))
    begun = threading.Event()
    ends: list[SlotWatchOutcome] = []

    def answer(request: bytes) -> Iterable[bytes]:
        begun.set()
        return silent(request) if while_asking else full()(request)

    with serving(answer) as (address,):
        told = threading.Event()
        wait = SlotMonitor(scanner, QueryTarget(address, "quake3", None), lambda _: told.set(), interval_s=2 * LIMIT_S)
        thread = threading.Thread(target=lambda: ends.append(wait.run()))
        thread.start()
        assert (begun if while_asking else told).wait(LIMIT_S)
        wait.cancel()
        thread.join(LIMIT_S)
        assert not thread.is_alive()
    assert ends == [SlotWatchOutcome.CANCELLED]


def test_the_first_question_can_be_put_off(scanner: Scanner) -> None:
    server = Visitors(room())
    with serving(server) as (address,):
        began_s = time.monotonic()
        SlotMonitor(scanner, QueryTarget(address, "quake3", None), lambda _: None).run(first_in_s=0.3)
    assert server.asked_s[0] - began_s >= 0.3


def facts(**changes: object) -> ServerInfo:
    told: dict[str, object] = {"players": 3, "bots": 0, "spectators": 0, "max_players": 4}
    return ServerInfo(None, "", "", Address("192.0.2.1", 1), **(told | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "free"),
    [
        ({}, True),
        ({"reserved": 1}, False),
        ({"joinable": False}, False),
        ({"joinable": True}, True),
        ({"players": None}, False),
        ({"max_players": None}, False),
    ],
)
def test_what_counts_as_room(told: dict[str, object], free: bool) -> None:
    assert (facts(**told).is_full is False) is free
