"""Lists of masters that are made to cost as much as possible."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice

import pytest
from fake_masters import Page, web_server
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, ServerInfo
from browser_app.engine.masters.community_lists import WebListMaster
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.masters.target_sink import MasterPollContext, PollQuota, TargetSink
from browser_app.engine.network import http_client
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.protocols.address import Address

SIZE = 1 << 20
CHUNK_BYTES = 64 << 10
MASTER = WebListMaster("x", "http://x.invalid/", frozenset())


def servers(first: int = 0) -> Iterator[QueryTarget]:
    """Yield servers of different hosts without end."""
    for number in count(first):
        host = f"{8 + (number >> 20)}.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        yield QueryTarget(Address(host, 27960), "quake3", None)


def sink_of(context: MasterPollContext | None = None) -> tuple[list[QueryTarget], TargetSink]:
    taken: list[QueryTarget] = []
    return taken, TargetSink(taken.extend, context or MasterPollContext())


@dataclass(frozen=True, slots=True)
class ListMaster(MasterSource):
    """A master with these entries."""

    entries: Callable[[], Iterator[QueryTarget | None]]

    def poll(self, sink: TargetSink) -> None:
        sink.add_entries(self.entries(), NetworkScope.INTERNET)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "chunks", "problem"),
    [
        ('"{n}":1', 1, "more than 200 values beside the list"),
        ('"servers":[]', 1, "more than 200 values beside the list"),
        ("1", 1, "cut off after 16\u202f384 entries"),
        ("1.5e300", 3, "cut off after 16\u202f384 entries"),
        ("[]", 1, "cut off after 16\u202f384 entries"),
        ("[" * 40_000, 1, "nested too deeply"),
        ('"' + "a" * 40_000 + '"', 1, "more than 32768 characters"),
        ('"a2s://[fe80::%0]:1"', 6, "cut off after 16\u202f384 entries"),
        ('"x2s://192.0.2.1:1"', 6, "cut off after 16\u202f384 entries"),
        ('"a2s://8.8.8.8:1"', 5, "cut off after 16\u202f384 entries"),
        ('"a2s://h{n}.invalid:1"', 7, "cut off after 16\u202f384 entries"),
    ],
)
def test_costly_list_is_cut_off(monkeypatch: pytest.MonkeyPatch, entry: str, chunks: int, problem: str) -> None:
    monkeypatch.setattr("browser_app.engine.masters.target_sink.resolve_named_targets", lambda *_: ())
    opening, closing = ('{"servers":[],', "}") if '":' in entry and "//" not in entry else ('{"servers":[', "]}")
    listed = (entry.replace("{n}", str(number)) for number in range(SIZE // (len(entry) + 1)))
    body = f"{opening}{','.join(listed)}{closing}".encode()
    chunk = iter(range(0, len(body), CHUNK_BYTES))

    def read_document(
        _url: str, _token: object, use: Callable[[Iterator[bytes], NetworkScope], object], **_: object
    ) -> object:
        return use((body[first : first + CHUNK_BYTES] for first in chunk), NetworkScope.INTERNET)

    monkeypatch.setattr(http_client, "read_document", read_document)
    _, sink = sink_of()
    began_s = time.thread_time()
    try:
        MASTER.poll(sink)
        messages = sink.omission_messages
    except RequestError as error:
        messages = [str(error)]
    assert problem in " ".join(messages)
    assert next(chunk, len(body)) <= (chunks + 1) * CHUNK_BYTES
    assert time.thread_time() - began_s < 3  # 0.1 s at most on an idle machine


def test_parsing_stops_when_cancelled() -> None:
    context = MasterPollContext()
    endless = servers()

    def cancel(_: Sequence[QueryTarget]) -> None:
        context.cancel_token.cancel()

    TargetSink(cancel, context).add_entries(endless, NetworkScope.INTERNET)
    assert next(endless).address.host < "8.0.2.0"


@pytest.mark.slow
def test_short_list_is_done_first() -> None:
    listed = set[str]()
    hostile = [ListMaster(f"hostile {number}", partial(servers, number << 16)) for number in range(12)]
    honest = ListMaster("honest", lambda: iter([next(servers(99 << 16)) for _ in range(600)]))
    poll = MasterPoll([*hostile, honest], lambda _: None, on_listed=lambda url, _: listed.add(url))
    poll.start()
    assert wait_until(lambda: poll.states[-1].is_done)
    assert not any(state.is_done for state in poll.states[:-1])
    poll.cancel()
    assert poll.wait(LIMIT_S)


def test_all_lists_share_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browser_app.engine.masters.target_sink.resolve_named_targets", lambda *_: ())
    context = MasterPollContext(server_quota=PollQuota(700), hostname_quota=PollQuota(3))
    first, one = sink_of(context)
    second, two = sink_of(context)
    one.add_entries((server for server, _ in zip(servers(), range(600), strict=False)), NetworkScope.INTERNET)
    two.add_entries(servers(), NetworkScope.INTERNET)
    assert (len(first), one.omission_messages) == (600, [])
    assert (len(second), two.omission_messages) == (100, ["list cut off after 100 servers"])
    for count_left_out in (1, 2):
        _, sink = sink_of(context)
        named = [QueryTarget(Address(f"{name}{count_left_out}.invalid", 9), "quake3", None) for name in "ab"]
        sink.add_entries(named, NetworkScope.INTERNET)
        assert sink.omission_messages[-1:] == ["1 server left out: too many host names listed"] * (count_left_out - 1)


def info_of(target: QueryTarget) -> ServerInfo:
    return ServerInfo(None, "", "", target.address, 9, 0, 0, 9)


def test_descriptions_share_quota() -> None:
    players = (PlayerInfo("a", None, None, None, None, None),) * 9
    described = [
        DescribedServer(target, replace(info_of(target), player_list=players)) for target in islice(servers(), 300)
    ]
    context = MasterPollContext(description_quota=PollQuota(1_000))
    batches: list[list[DescribedServer]] = []
    taken: list[QueryTarget] = []
    sink = TargetSink(taken.extend, context, lambda batch: batches.append(list(batch)))
    sink.add_entries(described, NetworkScope.INTERNET)
    assert sum(map(len, batches)) == 100  # of 10 values each
    assert max(map(len, batches)) <= 26
    assert len(taken) == 300


def test_long_rules_use_more_quota() -> None:
    context = MasterPollContext(description_quota=PollQuota(1_000))
    kept: list[DescribedServer] = []
    rules = {"description": "x" * 32_000}
    described = [DescribedServer(target, replace(info_of(target), rules=rules)) for target in islice(servers(), 9)]
    TargetSink(lambda _: None, context, kept.extend).add_entries(described, NetworkScope.INTERNET)
    assert len(kept) == 1  # of 502 values


@pytest.mark.slow
def test_lost_connection_keeps_most_servers() -> None:
    body = ",".join(f'"a2s://127.0.{number >> 8}.{number & 255}:27015"' for number in range(1, 10_000)).encode()
    with web_server({"/": Page(b'{"servers": [' + body, length=SIZE)}) as web:
        poll = MasterPoll([WebListMaster("x", f"http://127.0.0.1:{web.port}/", frozenset())], lambda _: None)
        poll.start()
        assert poll.wait(LIMIT_S)
    (state,) = poll.states
    assert (state.ok, state.error) == (False, "connection lost")
    assert 7_000 < state.servers < 10_000
