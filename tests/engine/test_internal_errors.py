"""Every loop over input from outside survives every exception, counts it and logs it once."""

import logging
import threading
from types import MappingProxyType
from typing import Any

import pytest
from fake_game_servers import (
    INFO,
    QUICK,
    UNLIMITED,
    FakeServerThread,
    after,
    from_attempt,
    open_scanner,
    scan_all,
    silent,
)
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.network.address_rules import address_family
from browser_app.engine.query import engine_loop
from browser_app.engine.query.engine_loop import EngineLoop
from browser_app.engine.query.query_timing import PACES
from browser_app.protocols.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import A2S, QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.query_session import QueryParts, ReceiveStatus

pytestmark = pytest.mark.expects_log

BAD = b"\xff\xff\xff\xffbad"
"""What the injected parser stumbles over."""


def counted(caplog: pytest.LogCaptureFixture) -> dict[str, int]:
    """Return the counted errors; each was logged once."""
    counts = internal_errors.counts()
    assert sum(record.levelno >= logging.ERROR for record in caplog.records) == len(counts)
    return counts


def test_scanner_survives_parser(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    receive = A2SSession.receive

    def fail_at_bad(session: A2SSession, data: bytes) -> bytes | ReceiveStatus:
        if data == BAD:
            raise RuntimeError
        return receive(session, data)

    monkeypatch.setattr(A2SSession, "receive", fail_at_bad)
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        servers = [fake_servers.add(after(0, BAD, INFO)) for _ in range(100)]
        scan, results = scan_all(scanner, servers)
    assert all(result.status is QueryStatus.OK for result in results.values())
    assert scan.progress.dropped == {"unreadable": 100}
    assert counted(caplog) == {"RuntimeError while parsing a server's datagram": 100}


def _faulty_protocol(step: str) -> QueryProtocol:
    """Return A2S with a session that fails in one step."""

    def fail(*_: object) -> Any:
        raise RuntimeError(step)

    failing = property(fail) if isinstance(getattr(A2SSession, step), property) else fail
    session = type("FaultySession", (A2SSession,), {step: failing})
    return QueryProtocol(step, QueryParts.INFO, 0.0, session)


def test_scanner_survives_session(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    behaviours = {
        "__init__": silent,
        "build_request": silent,
        "skip_current_part": silent,
        "rtt_probe": from_attempt(1, after(0, INFO)),
        "has_more": after(0, INFO),
    }
    faulty = {step: _faulty_protocol(step) for step in behaviours}
    monkeypatch.setattr(engine_loop, "QUERY_PROTOCOLS", MappingProxyType({**QUERY_PROTOCOLS, **faulty}))
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        bad = [fake_servers.add(behaviour, protocol=step) for step, behaviour in behaviours.items()]
        good = fake_servers.add(after(0, INFO))
        scan, results = scan_all(scanner, [*bad, good], timing=QUICK)
    assert results[good.address].status is QueryStatus.OK
    assert {results[server.address].error for server in bad} == {"unreadable"}
    assert scan.open_queries == 0
    assert counted(caplog) == {
        "RuntimeError while sending a query": 2,
        "RuntimeError while handling a timeout": 2,
        "RuntimeError while parsing a server's datagram": 1,
        "RuntimeError while handling a server's reply": 1,
    }


def test_scanner_survives_start(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    family = address_family
    unlucky = QueryTarget(Address("192.0.2.1", 1), A2S, None)

    def fail_at_unlucky(host: str) -> Any:
        if host == unlucky.address.host:
            raise RuntimeError
        return family(host)

    monkeypatch.setattr("browser_app.engine.query.engine_loop.address_family", fail_at_unlucky)
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        scan = scanner.scan([unlucky], pace=PACES["normal"])
        scan.add([fake_servers.add(after(0, INFO)).target])
        scan.seal()
        assert scan.wait(LIMIT_S)
    assert [result.status for result in scan.results] == [QueryStatus.NO_ANSWER, QueryStatus.OK]
    assert counted(caplog) == {"RuntimeError while starting a query": 1}


def test_dead_engine_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: errors.append(args.exc_type))
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(after(0, INFO))
        with monkeypatch.context() as patch:
            patch.delattr(EngineLoop, "_tick")
            assert scanner.scan([server.target], pace=UNLIMITED).wait(LIMIT_S)
            assert wait_until(lambda: errors == [AttributeError])
        _, results = scan_all(scanner, [server])
    assert results[server.address].status is QueryStatus.OK
