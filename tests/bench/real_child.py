"""Child: the window with all real servers in its list, every packet counted."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench_child import answer_parent
from loopback_capture import LoopbackCapture, dropped_by_sockets
from PySide6.QtCore import QEventLoop, QTimer
from server_records import CONNECTIONS, REAL_SERVERS, RunningServer, running_servers

from browser_app.app import start_demo
from browser_app.application.app_context import AppContext, SourceOptions, WindowOptions
from browser_app.catalogue.server_info import QueryResult, QueryStatus, ServerInfo
from browser_app.engine.query.query_scheduler import QueryScheduler
from browser_app.engine.query.reply_dispatcher import ReplyDispatcher
from browser_app.engine.query.scan import PacketCounts, Scan
from browser_app.engine.query.server_query import QueryPhase, ServerQuery
from browser_app.games import load_games, load_presets
from browser_app.paths import UserPaths, resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_url import parse_server_url
from browser_app.storage.user_storage import UserStorage
from browser_app.window_app import WindowProgram
from browser_app.window_app.qt_application import create_application

WIDTH, HEIGHT = 1280, 1600
"""All rows are in sight."""
FIRST, REPEATED, FOLLOW_UP, PROBE, DISCONNECT = "first", "repeated", "follow-up", "probe", "disconnect"
KINDS = (FIRST, REPEATED, FOLLOW_UP, PROBE, DISCONNECT)
POLL_MS = 20
RECORDS_WAIT_S = 2.0
"""Servers may write their records a moment later."""


class SentPackets:
    """Counts at the engine what is sent to each server, by kind, and what comes of it."""

    def __init__(self) -> None:
        self.scans: list[Scan] = []
        self.sent: dict[Address, Counter[str]] = {}
        self.received: Counter[Address] = Counter()
        self.results: dict[Address, list[QueryResult]] = {}

    def count(self, address: Address, kind: str) -> None:
        """Count one packet."""
        self.sent.setdefault(address, Counter())[kind] += 1

    @property
    def counted_by_product(self) -> PacketCounts:
        """The sum of what the scans have counted themselves."""
        return sum((scan.progress.packets for scan in self.scans), PacketCounts())

    @property
    def are_scans_finished(self) -> bool:
        """Whether no query is under way."""
        return all(scan.finished.is_set() for scan in self.scans)


@contextmanager
def counted_packets() -> Iterator[SentPackets]:
    """Count all packets that the engine sends while the block runs."""
    packets = SentPackets()
    create, add_result = Scan.__init__, Scan.add_result
    send, send_disconnect = QueryScheduler._send, QueryScheduler.send_disconnect
    receive = ReplyDispatcher.on_datagram

    def created(scan: Scan, *arguments: Any, **options: Any) -> None:
        create(scan, *arguments, **options)
        packets.scans.append(scan)

    def sent(scheduler: QueryScheduler, query: ServerQuery, now_ns: int) -> None:
        before = query.scan.counters.sent
        send(scheduler, query, now_ns)
        if query.scan.counters.sent > before:
            packets.count(query.target.address, _kind(query))

    def disconnect_sent(scheduler: QueryScheduler, sock: Any, address: Any, datagram: bytes, scan: Scan) -> None:
        before = scan.counters.disconnects
        send_disconnect(scheduler, sock, address, datagram, scan)
        if scan.counters.disconnects > before:
            packets.count(Address(*address), DISCONNECT)

    def result_added(scan: Scan, result: QueryResult) -> None:
        packets.results.setdefault(result.target.address, []).append(result)
        add_result(scan, result)

    def received(dispatcher: ReplyDispatcher, sock: Any, data: bytes, sender: Any, ancillary: Any) -> None:
        packets.received[Address(*sender)] += 1
        receive(dispatcher, sock, data, sender, ancillary)

    with (
        patch.object(ReplyDispatcher, "on_datagram", received),
        patch.object(Scan, "__init__", created),
        patch.object(QueryScheduler, "_send", sent),
        patch.object(QueryScheduler, "send_disconnect", disconnect_sent),
        patch.object(Scan, "add_result", result_added),
    ):
        yield packets


def _kind(query: ServerQuery) -> str:
    if query.phase is QueryPhase.AWAITING_REPLY:
        return FIRST if query.attempts == 1 else REPEATED
    return PROBE if query.phase is QueryPhase.PROBING_PING else FOLLOW_UP


class ListMonitor:
    """Checks after each change of the list whether a row is missing or silent."""

    def __init__(self, program: WindowProgram, servers: Sequence[Address]) -> None:
        self._program, self._servers = program, servers
        self._catalogue = program.backend.catalogue
        self._rows: list[int | None] = []
        """Rows of the servers after the first poll."""
        self._shown = 0
        self.checks = 0
        self.lost: Counter[Address] = Counter()
        self.wrong_row_counts = 0
        """Checks at which the table had another number of rows than after the first poll."""

    def begin(self) -> None:
        """Remember the present rows, and check them from now on."""
        self._rows = [self._catalogue.row_of(server) for server in self._servers]
        self._shown = self._shown_rows()
        self._program.backend.server_list.changed.connect(self._check)
        self._program.backend.list_refresher.tick_finished.connect(self._check)

    @property
    def rows_in_sight(self) -> int:
        """Number of rows that the user sees."""
        return len(set(self._program.window.servers_view.rows_in_sight().tolist()))

    def _shown_rows(self) -> int:
        return self._program.window.servers_view.table.model().rowCount()

    def _check(self) -> None:
        self.checks += 1
        self.wrong_row_counts += self._shown_rows() != self._shown
        for server, first_row in zip(self._servers, self._rows, strict=True):
            row = self._catalogue.row_of(server)
            if row is None or row != first_row or self._catalogue.status[row] != QueryStatus.OK:
                self.lost[server] += 1


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Keep the list fresh for `seconds`.

    `demo` has a server of each protocol; those without a real one are used.
    """
    with ExitStack() as ends:
        home = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        os.environ["READY_ROOM_HOME"] = str(home)
        running, missing = ends.enter_context(running_servers(home))
        protocols = {each.server.protocol for each in running}
        others = [url for url in request["demo"] if url.partition("://")[0] not in protocols]
        urls = [*(each.url for each in running), *others]
        servers = {
            address: QUERY_PROTOCOLS[protocol].is_stream for protocol, address, *_ in map(parse_server_url, urls)
        }
        drops_before = dropped_by_sockets()
        packets = ends.enter_context(counted_packets())
        with LoopbackCapture(servers) as capture:
            found = _use_window(home, urls, packets, request["seconds"])
            time.sleep(RECORDS_WAIT_S)
        drops = dropped_by_sockets() - drops_before
        records = {server.address: server for server in running}
        rows = [_row(url, packets, found["lost"], capture, records, drops) for url in urls]
    product = packets.counted_by_product
    del found["lost"]
    return found | {
        "rows": rows,
        "missing": missing,
        "known": sum(server.is_peer for server in REAL_SERVERS),
        "capture_missed": capture.missed,
        "counted_by_product": product.sent,
        "received": product.received,
        "dropped": product.dropped,
        "replies": capture.sent_by.total(),
    }


def _use_window(home: Path, urls: Sequence[str], packets: SentPackets, seconds: float) -> dict[str, Any]:
    """Show the window for `seconds`; return what was seen of its list."""
    app = create_application()
    paths = UserPaths(home / "settings", home / "data", home / "cache")
    games, presets = load_games(resource_folder() / "games"), load_presets(resource_folder() / "ranking")
    context = AppContext(games, presets, lambda *, demo: UserStorage(paths), start_demo, lambda _: 0, lambda _: None)
    with WindowProgram(WindowOptions(SourceOptions(servers=urls)), context, app, "light") as program:
        server_list = program.backend.server_list
        monitor = ListMonitor(program, [parse_server_url(url)[1] for url in urls])
        loop = QEventLoop()
        server_list.running_changed.connect(lambda running: None if running else loop.quit())
        program.show()
        program.window.resize(WIDTH, HEIGHT)  # showing it fits it to the screen
        loop.exec()
        monitor.begin()
        _wait(500 * seconds)
        server_list.refresh()
        _wait(500 * seconds)
        while not packets.are_scans_finished:
            _wait(POLL_MS)
        sight = monitor.rows_in_sight
    return {
        "checks": monitor.checks,
        "wrong_row_counts": monitor.wrong_row_counts,
        "in_sight": sight,
        "lost": monitor.lost,
    }


def _wait(milliseconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(int(milliseconds), loop.quit)
    loop.exec()


def _row(
    url: str,
    packets: SentPackets,
    lost: Counter[Address],
    capture: LoopbackCapture,
    records: dict[Address, RunningServer],
    drops: Counter[int],
) -> dict[str, Any]:
    """Return what was counted of one server."""
    protocol, address = parse_server_url(url)[:2]
    results, record = packets.results.get(address, []), records.get(address)
    infos = [result.info for result in results if result.info is not None]
    sent = packets.sent.get(address, Counter())
    return {
        "protocol": protocol,
        "address": str(address),
        "title": record.server.title if record else None,
        "queries": len(results),
        "answered": len(infos),
        "lost": lost[address],
        "read": _read(infos[-1]) if infos else "",
        "names": sorted({info.name for info in infos}),
        "maps": sorted({info.map for info in infos}),
        "kinds": {kind: sent[kind] for kind in KINDS},
        "sent": sent.total(),
        "arrived": capture.to[address],
        "dropped": drops[address.port] if record else 0,
        "replies": capture.sent_by[address],
        "received": packets.received[address],
        "record": record.server.record if record else None,
        "expected": _expected(record, sent) if record else None,
        "recorded": record.recorded() if record else None,
    }


def _expected(record: RunningServer, sent: Counter[str]) -> int:
    """Return what the server's record should count."""
    return sent[FIRST] + sent[REPEATED] if record.server.unit == CONNECTIONS else sent.total()


def _read(info: ServerInfo) -> str:
    players, bots, slots = ("?" if count is None else count for count in (info.players, info.bots, info.max_players))
    return f"{info.name or '–'} / {info.map or '–'} / {players}, {bots}, {slots}"


if __name__ == "__main__":
    answer_parent(measure)
