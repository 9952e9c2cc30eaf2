"""Links to lists: hostile ones are refused, with the place that is wrong."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.protocols.list_link import (
    MAX_LIST_LINK_LENGTH,
    MAX_LIST_SERVERS,
    MAX_SHARED_NAME,
    SharedServer,
    format_list_link,
    is_list_link,
    parse_list_link,
)
from browser_app.protocols.server_link import has_unprintable

NS2 = SharedServer("a2s", Address("192.0.2.7", 27016), "ns2", "Quiet corner & co")
NAMED = SharedServer("minecraft", Address("play.example.org", 25565), None, "Ünï % # ? + =")
V6 = SharedServer("quake3", Address("2001:db8::1", 27960))
PREFIX = "readyroom://list?"


def many(count: int) -> str:
    return PREFIX + "&".join(f"server=a2s://192.0.2.7:{port}" for port in range(1, count + 1))


def test_link_is_parsed_again() -> None:
    link, _count = format_list_link([NS2, NAMED, V6])
    assert link.isascii()
    assert is_list_link(f" {link.upper()[:20]}{link[20:]}\n")
    assert parse_list_link(link) == (NS2, NAMED, V6)


@given(st.lists(st.tuples(st.integers(1, 65535), st.text(max_size=200)), min_size=1, max_size=80))
def test_every_name_is_shared_or_left_out(servers: list[tuple[int, str]]) -> None:
    shared = [SharedServer("a2s", Address("192.0.2.7", port), "ns2", name) for port, name in servers]
    link, count = format_list_link(shared)
    assert count == min(len(shared), MAX_LIST_SERVERS)
    assert len(link) <= MAX_LIST_LINK_LENGTH
    parsed = parse_list_link(link)
    assert [each.address for each in parsed] == [*dict.fromkeys(each.address for each in shared[:MAX_LIST_SERVERS])]
    assert all(len(each.name) <= MAX_SHARED_NAME and not has_unprintable(each.name) for each in parsed)


@pytest.mark.parametrize(("host", "fitting"), [("a" * 40, 50), (".".join(["a" * 60] * 4), 21)])
def test_long_link_loses_names_then_servers(host: str, fitting: int) -> None:
    shared = [SharedServer("zandronum", Address(host, port), "x" * 10, "ü" * 60) for port in range(60_001, 60_051)]
    link, count = format_list_link(shared)
    assert count == fitting
    assert list(parse_list_link(link)) == [each._replace(name="") for each in shared[:count]]


def test_repeated_server_counts_once() -> None:
    assert parse_list_link(format_list_link([NS2, NS2._replace(name="again"), V6])[0]) == (NS2, V6)


def test_names_are_plain_text() -> None:
    (server,) = parse_list_link(f"{PREFIX}server=a2s://192.0.2.7:1/ns2/%1b[31m<b>a%0a%E2%80%AEb/c</b>")
    assert not has_unprintable(server.name)
    assert "b/c" in server.name


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("readyroom://join?server=a2s://192.0.2.7:1", "not a link to a list"),
        (PREFIX, "names no server|invalid"),
        (many(MAX_LIST_SERVERS + 1), "more than 50 servers"),
        (many(10_000), "longer than"),
        (f"{PREFIX}server=a2s://192.0.2.7:1\n&server=a2s://192.0.2.7:2", "control characters"),
        (f"{PREFIX}server=a2s://192.0.2.7:1&name=x", "server 2: unknown: name"),
        (f"{PREFIX}server=a2s://192.0.2.7:0", "server 1: port"),
        (f"{PREFIX}server=a2s://224.0.0.1:5", "server 1: .* cannot be a server"),
        (f"{PREFIX}server=http://192.0.2.7:80", "server 1: unknown protocol"),
        (f"{PREFIX}server=listed://192.0.2.7:80", "server 1: .* cannot be a server"),
        (f"{PREFIX}server=a2s://192.0.2.7:1/NS%202", "server 1: invalid game"),
        (f"{PREFIX}server=a2s://user@192.0.2.7:1", "server 1: "),
        (f"{PREFIX}server=%ff", "invalid"),
        (f"{PREFIX}server", "invalid"),
    ],
)
def test_hostile_links_are_refused(link: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refusal:
        parse_list_link(link)
    assert len(str(refusal.value)) < 500


@given(st.text(max_size=300))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    with suppress(ValueError):
        parse_list_link(PREFIX + text)
