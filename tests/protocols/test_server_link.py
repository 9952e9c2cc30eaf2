"""Links and texts that name a server: every form, and errors with the reason."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.protocols.server_link import (
    MAX_LINK_LENGTH,
    ServerLink,
    format_join_link,
    parse_join_link,
    parse_server_text,
)

A = Address("192.0.2.7", 27015)
SECRET = "s!x"  # noqa: S105 (made up)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("192.0.2.7:27015", ServerLink(A)),
        ("  192.0.2.7:27015\n", ServerLink(A)),
        ("Play.Example.org:27960", ServerLink(Address("play.example.org", 27960))),
        ("[2001:db8::1]:26000", ServerLink(Address("2001:db8::1", 26000))),
        ("a2s://192.0.2.7:27015", ServerLink(A, "a2s", is_query=True)),
        ("A2S://192.0.2.7:27015/", ServerLink(A, "a2s", is_query=True)),
        ("quake3://192.0.2.7:27960", ServerLink(Address("192.0.2.7", 27960), "quake3", is_query=True)),
        ("darkplaces://192.0.2.7:26000", ServerLink(Address("192.0.2.7", 26000), "darkplaces", is_query=True)),
        ("quake3://connect/192.0.2.7:27960", ServerLink(Address("192.0.2.7", 27960), "quake3")),
        ("steam://connect/192.0.2.7", ServerLink(A, "a2s")),
        ("steam://connect/192.0.2.7:27015", ServerLink(A, "a2s")),
        ("steam://connect/192.0.2.7:27015/", ServerLink(A, "a2s")),
        ("steam://connect/192.0.2.7:27015/s%21x", ServerLink(A, "a2s", password=SECRET)),
        ("connect 192.0.2.7:27015", ServerLink(A)),
        ("connect 192.0.2.7:27015; password s!x", ServerLink(A, password=SECRET)),
        ('password "s!x"; connect 192.0.2.7:27015;', ServerLink(A, password=SECRET)),
        ("readyroom://join?server=a2s://192.0.2.7:27015", ServerLink(A, "a2s", is_query=True)),
        ("readyroom://join?server=192.0.2.7:27015", ServerLink(A)),
        ("readyroom://join?server=192.0.2.7:27015&game=ns2", ServerLink(A, game="ns2")),
        ("readyroom://join?server=a2s%3A%2F%2F192.0.2.7%3A27015&game=ns2", ServerLink(A, "a2s", "ns2", is_query=True)),
    ],
)
def test_every_form_is_parsed(text: str, link: ServerLink) -> None:
    assert parse_server_text(text) == link


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "address"),
        ("192.0.2.7", "port missing"),
        ("192.0.2.7:99999", "port must be"),
        ("hello world", "port missing"),
        ("hello world:1", "not a host name"),
        ("http://192.0.2.7:80", "unknown protocol “http”"),
        ("steam://run/4920", "steam://connect/HOST:PORT"),
        ("steam://connect/192.0.2.7:27015/a%20b", "password has characters"),
        ("connect 192.0.2.7:27015; connect 192.0.2.8:27015", "more than one"),
        ("connect 192.0.2.7:27015; quit", "more than one"),
        ("connect 192.0.2.7:27015\npassword s!x", "single line"),
        ("224.0.0.1:27015", "cannot be a server address"),
        ("0.0.0.0:27015", "cannot be a server address"),
        ("readyroom://join", "only readyroom://join?"),
        ("readyroom://launch?server=a2s://192.0.2.7:27015", "only readyroom://join?"),
        ("readyroom://join?x", "invalid"),
        ("readyroom://join?", "missing"),
        ("readyroom://join?game=ns2", "server=PROTOCOL://HOST:PORT is missing"),
        ("readyroom://join?server=a2s://192.0.2.7:27015&password=x", "unknown: password"),
        ("readyroom://join?server=a2s://192.0.2.7:27015&server=a2s://192.0.2.8:27015", "twice"),
        ("readyroom://join?server=a2s://192.0.2.7:27015&game=../x", "invalid game"),
        ("readyroom://join?server=a2s://192.0.2.7:27015#x", "port must be"),
        ("readyroom://join?server=a2s://239.1.2.3:27015", "cannot be a server address"),
        ("a" * (MAX_LINK_LENGTH + 1), "longer than"),
    ],
)
def test_invalid_texts(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_server_text(text)


def test_password_is_not_in_repr() -> None:
    assert "hush" not in repr(parse_server_text("connect 192.0.2.7:27015; password hush"))


def test_link_round_trip() -> None:
    for address in (A, Address("2001:db8::1", 26000)):
        assert parse_join_link(format_join_link("a2s", address, "ns2")) == ServerLink(
            address, "a2s", "ns2", is_query=True
        )


@given(st.text(max_size=600) | st.text("connect pasword:/;?=&.0123456789[]%", max_size=80))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    for form in ("", "readyroom://join?server=", "steam://connect/"):
        with suppress(ValueError):
            assert 1 <= parse_server_text(form + text).address.port <= 65535
