"""Addresses as people and masters write them."""

import pytest

from browser_app.protocols.address import Address, normalize_host, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("1.2.3.4:27015", Address("1.2.3.4", 27015)),
        (" 1.2.3.4:1 ", Address("1.2.3.4", 1)),
        ("[::1]:26000", Address("::1", 26000)),
        ("[2001:DB8:0:0::1]:65535", Address("2001:db8::1", 65535)),
        ("Play.Example.ORG.:7", Address("play.example.org", 7)),
        ("[::ffff:1.2.3.4]:5", Address("1.2.3.4", 5)),
        ("[fe80::1%eth0]:5", Address("fe80::1%eth0", 5)),
        ("localhost:7", Address("localhost", 7)),
        ("localhost:0027015", Address("localhost", 27015)),
    ],
)
def test_parse_address(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("address", ["1.2.3.4:27015", "[::1]:26000", "play.example.org:7"])
def test_str_is_parsed_again(address: str) -> None:
    assert str(parse_address(address)) == address


def test_default_port() -> None:
    assert parse_address("[::1]", 5) == Address("::1", 5)
    assert parse_address("host:6", 5) == Address("host", 6)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":1", "host", "host:", "host:0", "host:65536", "host:-1", "host:1x", "host:٣", "::1:26000", "::1"),
        *("[::1", "[::1]26000", "[1.2.3.4]:5", "1.2.3.400:5", "1.2.3:5", "-a.org:5", "a_b:5", "a b:5", "a..b:5"),
        *("host:" + "9" * 5000, "host:0270150", "a" * 64 + ":5", "a/b:5", "a;b:5", "+connect:5"),
    ],
)
def test_invalid_addresses(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_address(text)


@pytest.mark.parametrize("form", ["{}", "{}:5", "[{}", "{}::", "host:{}"])
def test_error_messages_are_short(form: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_address(form.format("_" * 5000))
    assert len(str(caught.value)) < 150


def test_equals_socket_address() -> None:
    assert parse_address("127.0.0.1:5") == ("127.0.0.1", 5)
    assert normalize_host("0:0:0:0:0:0:0:1") == "::1"


def test_message_shows_no_control_characters() -> None:
    with pytest.raises(ValueError, match="port missing in “a\ufffd\\[31mb\ufffdc”"):
        parse_address("a\x1b[31mb\u202ec")
