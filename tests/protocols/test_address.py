"""Addresses: what sockets and games can be given, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1:27015", Address("192.0.2.1", 27015)),
        ("[2001:DB8::0001]:26000", Address("2001:db8::1", 26000)),
        ("[fe80::1%eth0]:26000", Address("fe80::1%eth0", 26000)),
        ("Example.ORG.:1", Address("example.org", 1)),
    ],
)
def test_valid_addresses_have_one_spelling(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "", ":1", "host", "host:0", "host:65536", "host:-1", "host:1e3", "host:1 2", "host:\u0661", "1.2.3:1",
        "1.2.3.400:1", "-a.b:1", "a..b:1", "a b:1", "a;b:1", "2001:db8::1:26000", "[::1:1", "[1.2.3.4]:1", "[::1]x:1",
        "[fe80::1%;quit]:1", "[fe80::1%\n]:1", "1.2.3.4%e:1",
    ],
)  # fmt: skip
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_address(text)


@given(st.text(max_size=40))
def test_text_is_an_address_that_reads_back_or_is_refused(text: str) -> None:
    try:
        address = parse_address(text)
    except ValueError:
        return
    assert parse_address(str(address)) == address
    assert not set(str(address)) & set(" ;\"'\\\n\r\t$`|&<>")
