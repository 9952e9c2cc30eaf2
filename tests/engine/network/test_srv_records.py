"""SRV records of servers given by domain, from a name server on loopback."""

import socket
import threading
from collections.abc import Iterator

import dns.flags
import dns.message
import dns.resolver
import dns.rrset
import pytest
from fake_masters import fake_lookups
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.network import srv_records
from browser_app.engine.network.srv_records import follow_srv_records, look_up_srv
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.server_link import parse_server_text

RECORDS = {
    "_minecraft._tcp.mc.example.": ("20 9 1 b.example.", "10 1 2 c.example.", "10 5 25570 a.example."),
    "_minecraft._tcp.none.example.": ("0 0 0 .",),
    "_minecraft._tcp.ip.example.": ("0 0 25565 192.0.2.7.",),
    "_minecraft._tcp.zero.example.": ("0 0 0 a.example.",),
}
"""Priority, weight, port and host by name."""


def reply(query: bytes) -> bytes | None:
    message = dns.message.from_wire(query)
    (question,) = message.question
    answer = dns.message.make_response(message)
    answer.flags |= dns.flags.RA
    name = question.name.to_text()
    if name == "_minecraft._tcp.silent.example.":
        return None
    if records := RECORDS.get(name):
        answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", "SRV", *records))
    return answer.to_wire()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Run a name server, which the look-ups use; return the questions that it got."""
    questions: list[bytes] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], sock.getsockname()[1]
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)

        def serve() -> None:
            while True:
                data, peer = sock.recvfrom(4096)
                if not data:
                    return
                questions.append(data)
                if answer := reply(data):
                    sock.sendto(answer, peer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield questions
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", sock.getsockname())
        thread.join(LIMIT_S)


def test_first_record_counts(asked: list[bytes]) -> None:
    assert look_up_srv("_minecraft._tcp.mc.example") == Address("a.example", 25570)
    for host in ("other", "none", "ip", "zero"):
        assert look_up_srv(f"_minecraft._tcp.{host}.example") is None
    assert len(asked) == 5


def test_silent_name_server_is_given_up(asked: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(srv_records, "SRV_TIMEOUT_S", 0.2)
    assert look_up_srv("_minecraft._tcp.silent.example") is None
    assert wait_until(lambda: bool(asked))


def test_only_names_with_usual_port_are_looked_up() -> None:
    targets = [
        QueryTarget(Address("mc.example", 25565), "minecraft", None),
        QueryTarget(Address("mc.example", 25566), "minecraft", None),
        QueryTarget(Address("192.0.2.7", 25565), "minecraft", None),
        QueryTarget(Address("mc.example", 25565), "a2s", None),
        QueryTarget(Address("other.example", 25565), "minecraft", "minecraft"),
    ]
    names: list[str] = []

    def look_up(name: str) -> Address | None:
        names.append(name)
        return Address("a.example", 7) if "mc" in name else None

    found = follow_srv_records(targets, CancelToken(), look_up)
    assert found == [targets[0]._replace(address=Address("a.example", 7)), *targets[1:]]
    assert sorted(names) == ["_minecraft._tcp.mc.example", "_minecraft._tcp.other.example"]


def test_poll_follows_record(asked: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    fake_lookups(monkeypatch, {"a.example": [["127.0.0.1"]]})
    sources = parse_sources(GameRegistry([]), servers=["minecraft://mc.example"])
    assert parse_server_text("minecraft://mc.example").address == Address("mc.example", 25565)
    with Scanner(GameRegistry([])) as scanner:
        poll = start_poll(scanner, sources, pace=PACES["unlimited"])
        assert poll.wait(LIMIT_S)
    (result,) = poll.scan.results
    assert (result.target.address, result.target.host_name) == (Address("127.0.0.1", 25570), "a.example")
    assert result.target.named_address == Address("a.example", 25570)
    assert len(asked) == 1
