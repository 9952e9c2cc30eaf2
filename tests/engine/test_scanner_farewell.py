"""Servers that would repeat their reply are told that nobody is left."""

from fake_game_servers import INFO, QUICK, FakeServerThread, open_scanner, patient_timing, scan_all
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.reply_dispatcher import MAX_FAREWELLS
from browser_app.protocols.luanti import build_farewell, build_ping

GREETINGS = [bytes.fromhex(f"4f45740300010003ffdc0001000{peer}") for peer in (2, 3)]


def test_every_greeting_gets_a_farewell() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda nth, _data: [(0.0, each) for each in GREETINGS if not nth])
        target = server.target._replace(protocol="luanti")
        silent = fake_servers.add(lambda _nth, _data: ()).target  # keeps the scan going
        scan = scanner.scan([target, silent], pace=PACES["unlimited"], timing=patient_timing())
        assert wait_until(lambda: len(server.requests) == 3)
        scan.cancel()
        assert scan.wait(LIMIT_S)
    ping, *farewells = [request.data for request in server.requests]
    assert ping == build_ping()
    assert farewells == [build_farewell(greeting) for greeting in GREETINGS]
    assert [(result.target, result.status) for result in scan.results] == [(target, QueryStatus.OK)]
    assert scan.results[0].ping_ms is not None
    assert scan.progress.sent == 4


def test_endless_greetings_get_few_farewells() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda nth, _data: [(0.0, GREETINGS[0])] * 60 if not nth else ())
        silent = fake_servers.add(lambda _nth, _data: ()).target
        target = server.target._replace(protocol="luanti")
        scan = scanner.scan([target, silent], pace=PACES["unlimited"], timing=patient_timing())
        assert wait_until(lambda: scan.progress.received == 60)
        scan.cancel()
        assert scan.wait(LIMIT_S)
    assert scan.progress.sent == 2 + MAX_FAREWELLS


def test_other_protocols_get_none() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda nth, _data: [(0.0, each) for each in (INFO, GREETINGS[0]) if not nth])
        silent = fake_servers.add(lambda _nth, _data: ())
        scan, _results = scan_all(scanner, [server, silent], timing=QUICK)
    assert scan.progress.dropped == {"after the end": 1}
    assert [request.data for request in server.requests if request.data.startswith(b"OEt")] == []
